"""The classic way to read a page: BeautifulSoup, find_all p and ul, get_text, split on ". ".

pages.py ROUNDS FILE...   prints one JSON array of milliseconds per round for each file.
"""
import json
import sys
import time

from bs4 import BeautifulSoup


def read(html):
    soup = BeautifulSoup(html, "html.parser")
    page = [part.get_text().strip() for part in soup.find_all("p") + soup.find_all("ul")]
    paragraphs = [part for text in page for part in text.split("\n") if part.strip()]
    return [sentence.strip() + "." for part in paragraphs for sentence in part.split(". ") if sentence.strip()]


rounds, files = int(sys.argv[1]), sys.argv[2:]
pages = [open(file, encoding="utf-8").read() for file in files]
times = [[] for _ in pages]
for _ in range(rounds):
    for at, html in enumerate(pages):
        started = time.perf_counter()
        read(html)
        times[at].append((time.perf_counter() - started) * 1000)
print(json.dumps(times))
