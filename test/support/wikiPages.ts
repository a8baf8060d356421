/** Wikitext by title: every kind of page and title that a wiki has to offer. All text is our own. */
const DISAMBIGUATION_BOX = '<div class="dmbox dmbox-disambig">This page lists articles that share a title.</div>';

const longPage = Array.from(
  { length: 25 },
  (_, at) =>
    `== Chapter ${at + 1} of the log ==\n` +
    Array.from({ length: 40 }, (__, line) => `The keeper of tower ${at + 1} wrote entry ${line + 1} in the log.`).join(
      ' ',
    ),
).join('\n\n');

export const WIKI_PAGES: Readonly<Record<string, string>> = {
  'Main Page': 'A wiki for tests.',
  'Way to nowhere': '#REDIRECT [[Nowhere at all]]',
  'Talk:Ada Lovelace': 'Her year of birth was discussed here.',
  'Category:Engines': 'Engines of all kinds.',
  'Verin/Fish/Trout':
    'Trout live in the lake.\n== Size ==\nThey grow long.\n\n<span id="weight"></span>They weigh a lot.',
  'Trout of Verin': '#REDIRECT [[Verin/Fish/Trout#weight]]',
  '😀 smile': 'A smile as a title.',
  עברית: 'דף בעברית.',
  ['Ä'.repeat(127)]: 'The longest title there can be.',
  'Ada Lovelace': `{{Short description|English mathematician}}
{{Infobox nobody wrote}}
'''Ada Lovelace''' (10 December 1815 – 27 November 1852) was an English mathematician.<ref>A register of births.</ref> She wrote the first published program for the [[Analytical Engine]].

== Early life ==
She was born in [[London]]. Her mother, Lady Byron, had her taught mathematics by Mr. W. Frend and Dr. King.

=== Illness ===
In 1829 she fell ill with measles and could not walk for a year.

== Work ==
Her notes have these parts:
* Note A compares the two engines.
* Note G computes Bernoulli numbers.

{| class="wikitable"
! Year !! Event
|-
| 1833 || Meets [[Charles Babbage]]
|-
| 1843 || Publishes the notes
|}

== Legacy ==
A programming language was named after her in 1980.

== References ==
<references />`,
  'Ada Byron': '#REDIRECT [[Ada Lovelace]]',
  'Ada (language) naming': '#REDIRECT [[Ada Lovelace#Legacy]]',
  'Augusta Byron': '#REDIRECT [[Ada Byron]]',
  'Charles Babbage':
    "'''Charles Babbage''' was an English engineer who designed the [[Analytical Engine]]. He was born in 1791.",
  Babbage: '#REDIRECT [[Charles Babbage]]',
  'Analytical Engine':
    "The '''Analytical Engine''' was a general-purpose mechanical computer designed by [[Charles Babbage]].",
  'Difference Engine':
    "The '''Difference Engine''' tabulates polynomials. It was founded on the method of finite differences.",
  Mercury: `'''Mercury''' may refer to:
* [[Mercury (planet)]], the planet nearest to the Sun
* [[Mercury (element)]], a liquid metal
* [[Mercury (god)]], the messenger of the gods
${DISAMBIGUATION_BOX}`,
  'Mercury (planet)': "'''Mercury''' is the planet nearest to the Sun. A year on it takes 88 days.",
  'Mercury (element)': "'''Mercury''' is a metal that is liquid at room temperature.",
  'Mercury (god)': "'''Mercury''' is the messenger of the Roman gods.",
  Papua: `'''Papua''' most commonly refers to:
* [[New Guinea]], an island
* [[Papua (province)]], a part of Indonesia
${DISAMBIGUATION_BOX}`,
  'New Guinea': "'''New Guinea''' is a large island north of Australia.",
  'Papua (province)': "'''Papua''' is a province of Indonesia.",
  'Hans-Sachs-Straße (München)':
    "The '''Hans-Sachs-Straße''' is a street in Munich. The name may refer to a shoemaker who was a poet. [[Category:Disambiguation of streets]]",
  'C++': "'''C++''' is a programming language that adds classes to [[C]].",
  'C Sharp (programming language)': "'''C#''' is a programming language by Microsoft.",
  C: "'''C''' is the third letter of the alphabet.",
  'AT&T': "'''AT&T''' is a telephone company.",
  AT: "'''AT''' is an abbreviation.",
  'Q&A': "'''Q&A''' is a film by Sidney Lumet.",
  '100%': "'''100%''' is a song by Sonic Youth.",
  東京タワー: "'''東京タワー'''は東京都港区にある電波塔である。高さは333メートル。",
  軟件: "'''軟件'''是一系列按照特定順序組織的電腦資料和指令。",
  长城: "'''长城'''是古代中国的军事防御工程。它的总长度超过两万公里。",
  Lump: "A '''lump''' is a piece without a shape.",
  Lumpability: "'''Lumpability''' is a property of Markov chains whose states can be merged.",
  Portal: "A '''portal''' is an opening in a wall.",
  'Portal (video game)': "'''Portal''' is a puzzle game of 2007.",
  'Portal video games': "'''Portal video games''' are a list of games about doors.",
  Electricity: "'''Electricity''' is the set of phenomena that charged matter causes.",
  '"Heroes" (album)': "'''\"Heroes\"''' is an album by David Bowie, made in Berlin.",
  'New York City':
    "'''New York City''' is the largest city of the United States. It was founded in 1624 by Dutch settlers.",
  IPhone: "{{DISPLAYTITLE:iPhone}}The '''iPhone''' is a telephone by Apple.",
  Zürich: "'''Zürich''' is the largest city of Switzerland.",
  'Saint-Denis': "'''Saint-Denis''' is a town north of Paris.",
  Kleinweiler: "'''Kleinweiler''' is a village in Bavaria.",
  'List of minor planets': `A list of small bodies.

== 1000 ==
Piazzia was found in 1923.

== 1001 ==
Gaussia was found in 1923 by Sergey Belyavsky.`,
  'Gaussia (asteroid)': '#REDIRECT [[List of minor planets#1001]]',
  Tijuana:
    "'''Tijuana''' (<small>US: tee-WAH-nə</small>,<ref>A dictionary.</ref> Spanish: {{IPA|tiˈxwana}}), known also by the initials T.J., is a city in Mexico.<ref>A map.</ref> It lies on the border.\n\n== References ==\n<references />",
  Creed: "<div class=\"hatnote\">For other uses, see [[Creed (band)]].</div>\nA '''creed''' is a statement of faith.",
  'Creed (band)': "'''Creed''' is a rock band from Florida.",
  'AC/DC': "'''AC/DC''' is an Australian rock band.",
  "O'Brien's Tower": "'''O'Brien's Tower''' stands on the Cliffs of Moher.",
  "Who's There?": "'''Who's There?''' is a play in one act.",
  'North–South Railway': "The '''North–South Railway''' crosses the country.",
  'The Dark Tower (2017 film)': "'''The Dark Tower''' is a film of 2017. It lasts 95 minutes.",
  'Stronger Together': `'''Stronger Together''' may refer to:
* [[Stronger Together (book)]], a book of 2016
* [[Stronger Together (song)]], a song
${DISAMBIGUATION_BOX}`,
  'Stronger Together (book)': "'''Stronger Together''' is a book about plans for a country.",
  'Stronger Together (song)': "'''Stronger Together''' is a song.",
  London: "'''London''' is the capital of the United Kingdom.",
  'Log of the towers': `The log has twenty-five chapters.\n\n${longPage}`,
  'Sorting code': 'Sorting puts things in order.\n\n<pre>\nif (a > b) swap(a, b);\n</pre>',
  'Round one': '#REDIRECT [[Round two]]',
  'Round two': '#REDIRECT [[Round one]]',
};
