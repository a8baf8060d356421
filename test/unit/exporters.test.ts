import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Ajv from 'ajv';
import MarkdownIt from 'markdown-it';
import type { Browser } from 'playwright-core';
import type { TraceEvent } from '../../src/agent/event';
import { foldAll } from '../../src/agent/trace';
import { EXPORTERS, transcript } from '../../src/exporters';
import { type ExportOptions, inEnglish } from '../../src/exporters/exporter';
import { tameMarkdown } from '../../src/exporters/markdown';
import { randomTrace } from '../support/damage';
import { launchBrowser } from '../support/viewHarness';
import { answered, failed, limited, running } from '../support/viewHarnessStory';

const english: ExportOptions = { language: 'en', t: inEnglish };
const write = (id: string, events: readonly TraceEvent[], options = english) =>
  EXPORTERS.find((exporter) => exporter.id === id)!.write(foldAll(events), options);

/** The same run with something nasty in every text. */
const NASTY = `Vec<T> <COMPANY>Adobe</COMPANY> <br> </script><script>alert(1)</script><img src=x onerror=alert(1)> &lt; \u0000\ud800\u202eevil "q" 'q' \`\`\` # x\n# heading\n> quote\n1. item\n---\n![x](https://host.example/p.png?q=1) [a](javascript:alert(1)) [run](command:x) [b](file:///etc/passwd)`;
function nasty(events: readonly TraceEvent[]): TraceEvent[] {
  const change = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string')
      return /^(type|time|kind|status|outcome|run|role|hash|fetchedAt|finishReason|stop)$/.test(key)
        ? value
        : value + NASTY;
    if (Array.isArray(value)) return value.map((item) => change(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field, name)]));
  };
  return change(events) as TraceEvent[];
}

describe('Markdown', () => {
  it('tells the answer, its sources with the sentences, then the steps', () => {
    const text = write('markdown', answered);
    const order = [
      '# Which analytical machine',
      '## Answer',
      '**40 decimal digits**',
      '## Sources',
      '1. [Note G](<https://',
      ', sentence 27 — “',
      '## Steps',
      '### Step 1 · Search',
      '`Search[Note G]`',
      '> Note G is an algorithm',
      '### Step 5',
    ];
    let at = 0;
    for (const part of order) {
      const found = text.indexOf(part, at);
      assert(found >= 0, `${part} behind ${text.slice(at, at + 60)}`);
      at = found;
    }
  });

  it('shows what others wrote as it was written, whatever reads the Markdown', () => {
    const parser = new MarkdownIt({ html: true, linkify: false });
    const html = parser.render(write('markdown', nasty(answered)));
    assert.doesNotMatch(html, /<(script|img|br|company|t)\b/i);
    assert.doesNotMatch(html, /href="(javascript|command|file):/i);
    const shown = html
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    assert(shown.includes('Vec<T> <COMPANY>Adobe</COMPANY> <br>'));
    assert(shown.includes('&lt;'));
    assert(!/[\u0000\u202e]|\p{Surrogate}/u.test(shown));
    assert.equal((html.match(/<h1/g) ?? []).length, 1);
  });

  it('keeps code in an answer as it is and closes what was left open', () => {
    assert.equal(tameMarkdown('use `Vec<T>` or ``a`<b>`` & <i>'), 'use `Vec<T>` or ``a`<b>`` & \\<i>');
    assert.equal(tameMarkdown('````\n```\n<b>\n````\n<b>'), '````\n```\n<b>\n````\n\\<b>');
    assert.equal(tameMarkdown('```js\na<b'), '```js\na<b\n```');
    assert.equal(
      tameMarkdown('# Title\n<https://x.example/> ![x](https://y.example)'),
      '### Title\n<https://x.example/> \\![x](https://y.example)',
    );
    assert.equal(tameMarkdown('from $4 to $6 &amp; more'), 'from $4 to $6 \\&amp; more');
  });

  it('says how a run failed, was cut off, or found nothing', () => {
    assert.match(write('markdown', failed), /## How the run ended\n\nThe model at http/);
    assert.match(write('markdown', running), /## Interrupted/);
    assert.doesNotMatch(write('markdown', running, { ...english, running: true }), /Interrupted|cut off/);
    assert.match(write('html', running, { ...english, running: true }), /This run is still going on/);
    assert.match(write('markdown', limited), /Ended at a limit/);
    assert.doesNotThrow(() => write('markdown', []));
  });
});

describe('a transcript', () => {
  it('tells a run in its order, a heading for each part, and texts without a mark added', () => {
    const text = transcript(foldAll(answered), english);
    assert(text.indexOf('## Steps') < text.indexOf('## Answer'));
    assert(text.includes('**Action** Search[Note G]'));
    assert(!text.includes('\\'));
    const headings = text.match(/^#+ .*$/gm) ?? [];
    assert.equal(headings.filter((line) => line.startsWith('### ')).length, 5);
    const spoilt = transcript(foldAll(nasty(answered)), english);
    assert.equal(spoilt.match(/^# /gm)?.length, 1, 'no text of others makes a heading');
  });
});

describe('JSON', () => {
  it('is the folded trace', () => {
    const read = JSON.parse(write('json', answered));
    assert.equal(read.steps.length, 5);
    assert.equal(read.start.question, foldAll(answered).start?.question);
    assert.equal(read.end.outcome, 'answered');
  });
});

describe('OpenTelemetry', () => {
  const validate = new Ajv({ allErrors: true }).compile(
    JSON.parse(readFileSync('test/fixtures/otlp.schema.json', 'utf8')),
  );
  const spansOf = (text: string) => {
    const request = JSON.parse(text);
    const valid: boolean = validate(request);
    assert(valid, JSON.stringify(validate.errors?.slice(0, 3)));
    return request.resourceSpans[0].scopeSpans[0].spans as {
      traceId: string;
      spanId: string;
      parentSpanId?: string;
      name: string;
      kind: number;
      startTimeUnixNano: string;
      endTimeUnixNano: string;
      attributes: { key: string; value: Record<string, unknown> }[];
      status?: { code: number };
    }[];
  };
  const attribute = (span: { attributes: { key: string; value: Record<string, unknown> }[] }, key: string) =>
    Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0];
  const withContent = { ...english, includeContent: true };

  it('is one agent span with a chat and a tool span for each step', () => {
    const spans = spansOf(write('otlp', answered));
    const [root, ...others] = spans;
    assert(root);
    assert.deepEqual(
      spans.map(({ name }) => name.replace(/ .*/, '')),
      ['invoke_agent', 'chat', 'execute_tool', 'chat', 'chat', 'execute_tool', 'chat', 'execute_tool', 'chat'],
      'a tool that was not run has no span',
    );
    assert(others.every(({ parentSpanId, traceId }) => parentSpanId === root.spanId && traceId === root.traceId));
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
    assert(spans.every((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)));
    assert.equal(attribute(root, 'gen_ai.operation.name'), 'invoke_agent');
    assert.equal(attribute(spans[1]!, 'gen_ai.operation.name'), 'chat');
    assert.equal(attribute(spans[1]!, 'gen_ai.request.model'), 'gpt-4.1-mini');
    assert.equal(attribute(spans[1]!, 'gen_ai.usage.input_tokens'), '612');
    assert.equal(attribute(spans[2]!, 'gen_ai.tool.name'), 'Search');
    assert.equal(spans[1]!.kind, 3);
    const ms = (BigInt(spans[1]!.endTimeUnixNano) - BigInt(spans[1]!.startTimeUnixNano)) / 1_000_000n;
    assert.equal(ms, 1300n);
  });

  it('holds nothing that was asked, read or written unless that is wanted', () => {
    const marked = nasty(answered).map((event) =>
      event.type === 'run-start' ? { ...event, provider: 'p', model: 'm' } : event,
    );
    const bare = write(
      'otlp',
      marked.map((event) => (event.type === 'action' ? { ...event, tool: 'Search' } : event)),
    );
    assert.doesNotMatch(bare, /Adobe|Note G|Lovelace|wikipedia/);
    spansOf(bare);
    const full = spansOf(write('otlp', answered, withContent));
    assert.match(String(attribute(full[0]!, 'gen_ai.input.messages')), /Note G/);
    assert.match(String(attribute(full[2]!, 'gen_ai.tool.call.result')), /Bernoulli/);
    assert.deepEqual(JSON.parse(String(attribute(full[2]!, 'gen_ai.tool.call.arguments'))), { input: 'Note G' });
  });

  it('tells in each chat span all the messages of its request, the system’s apart', () => {
    const requested: TraceEvent[] = [
      ...answered.slice(0, 1),
      {
        type: 'model-request',
        time: '2025-03-03T09:00:00.000Z',
        step: 1,
        messages: [
          { role: 'system', content: 'manual' },
          { role: 'user', content: 'q' },
        ],
        options: { temperature: 0, stop: ['\nObservation'], max_tokens: 5 },
      },
      {
        type: 'model-reply',
        time: '2025-03-03T09:00:01.000Z',
        step: 1,
        raw: 'r1',
        finishReason: 'stop',
        cut: true,
        usage: null,
        ms: 5,
        firstTokenMs: 2,
        attempts: 1,
      },
      {
        type: 'model-request',
        time: '2025-03-03T09:00:02.000Z',
        step: 2,
        messages: [
          { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'Search', arguments: '{"entity":"a"' }] },
          { role: 'tool', content: 'seen', toolCallId: 'c1' },
        ],
        options: {},
      },
      {
        type: 'model-reply',
        time: '2025-03-03T09:00:03.000Z',
        step: 2,
        raw: 'r2',
        finishReason: null,
        cut: false,
        usage: null,
        ms: 5,
        firstTokenMs: null,
        attempts: 1,
      },
    ];
    const [, first, second] = spansOf(write('otlp', requested, withContent));
    assert.deepEqual(JSON.parse(String(attribute(first!, 'gen_ai.system_instructions'))), [
      { type: 'text', content: 'manual' },
    ]);
    assert.deepEqual(
      JSON.parse(String(attribute(second!, 'gen_ai.input.messages'))).map(({ role }: { role: string }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.deepEqual(attribute(first!, 'gen_ai.request.stop_sequences'), {
      values: [{ stringValue: '\nObservation' }],
    });
    assert.equal(attribute(first!, 'gen_ai.request.temperature'), 0);
    assert.equal(attribute(first!, 'gen_ai.response.time_to_first_chunk'), 0.002);
  });

  it('marks a run that failed, and gives the same identifiers each time', () => {
    const [root] = spansOf(write('otlp', failed));
    assert.equal(root!.status?.code, 2);
    assert.equal(attribute(root!, 'error.type'), '_OTHER');
    assert.equal(write('otlp', failed), write('otlp', failed));
    const renamed = failed.map((event) => (event.type === 'run-start' ? { ...event, run: 'no uuid' } : event));
    assert.notEqual(spansOf(write('otlp', renamed))[0]!.traceId, root!.traceId);
  });
});

describe('every exporter', () => {
  it('takes a thousand random traces and the nastiest one', () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const trace = foldAll(randomTrace(seed));
      for (const exporter of EXPORTERS)
        assert(exporter.write(trace, { ...english, includeContent: true }).endsWith('\n'));
      transcript(trace, english);
    }
    for (const exporter of EXPORTERS)
      exporter.write(foldAll(nasty(answered)), { ...english, language: 'qps-ploc', includeContent: true });
  });

  it('says everything of its own in the reader’s language', () => {
    const said = new Set<string>();
    const t: ExportOptions['t'] = (text, ...values) => {
      said.add(text);
      return `⟦${inEnglish(text, ...values)}⟧`;
    };
    for (const id of ['markdown', 'html']) {
      const text = write(id, limited, { language: 'zh-cn', t });
      for (const word of ['Sources', 'Steps', 'Observation', 'Thought', 'Action']) {
        assert.doesNotMatch(text, new RegExp(`[>*#] ?${word}(?!⟧)\\b`), `${id}: ${word}`);
      }
    }
    const known = Object.assign(
      {},
      ...readdirSync('l10n').map((name) => JSON.parse(readFileSync(join('l10n', name), 'utf8'))),
    );
    for (const text of said) assert(known[text], `${text} is not translated`);
  });
});

describe('an exported page', function () {
  this.timeout(30_000);
  let browser: Browser;
  let folder: string;
  before(async function () {
    this.timeout(120_000);
    browser = await launchBrowser();
    folder = mkdtempSync(join(tmpdir(), 'export-'));
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(events: readonly TraceEvent[], colorScheme: 'light' | 'dark' = 'light', width = 900) {
    const path = join(folder, 'run.html');
    writeFileSync(path, write('html', events));
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, offline: true });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('dialog', () => problems.push('a script ran'));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) problems.push(request.url());
    });
    await page.goto(pathToFileURL(path).href);
    return { page, problems };
  }

  for (const [name, events] of Object.entries({ answered, failed, limited, running, nasty: nasty(answered) })) {
    for (const scheme of ['light', 'dark'] as const) {
      it(`of a run that is ${name} opens offline and passes axe, ${scheme}`, async () => {
        const { page, problems } = await open(events, scheme);
        // Scripts of the page's own are forbidden; axe is ours, and comes through the debugger.
        await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
        const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as {
          id: string;
          nodes: { html: string }[];
        }[];
        assert.deepEqual(
          found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
          [],
        );
        assert.deepEqual(problems, []);
        await page.context().close();
      });
    }
  }

  it('shows what was written as it was written, and links only web addresses', async () => {
    const { page } = await open(nasty(answered));
    const text = String(await page.evaluate('document.body.innerText'));
    for (const part of ['Vec<T> <COMPANY>Adobe</COMPANY> <br> </script>', '&lt;', '⟨U+202E⟩'])
      assert(text.includes(part), part);
    const links = (await page.evaluate('[...document.links].map((link) => link.getAttribute("href"))')) as string[];
    assert(links.length > 0 && links.every((href) => /^(https?:\/\/|#)/.test(href)), links.join(' '));
    assert.equal(await page.evaluate('document.querySelectorAll("img, script, iframe, form").length'), 0);
    await page.context().close();
  });

  it('puts a citation behind each claim, which leads to its source and its step', async () => {
    const { page } = await open(answered);
    assert.equal(await page.locator('.answer sup a').count(), 2);
    assert.match(
      String(await page.locator('.answer .markdown').textContent()),
      /Analytical Engine\[1\], whose numbers had 40 decimal digits each\[2\]/,
    );
    for (const href of (await page.evaluate(
      '[...document.querySelectorAll("a[href^=\\"#\\"]")].map((a) => a.hash.slice(1))',
    )) as string[]) {
      assert.equal(await page.locator(`#${href}`).count(), 1, href);
    }
    await page.context().close();
  });

  it('never scrolls sideways as a whole', async () => {
    const long = answered.map((event) =>
      event.type === 'run-end'
        ? {
            ...event,
            answer: `${'x'.repeat(500)}\n\n| a | b |\n|--|--|\n| ${'y'.repeat(300)} | c |\n\n\`\`\`\n${'z'.repeat(400)}\n\`\`\``,
          }
        : event,
    );
    const { page } = await open(long, 'light', 320);
    assert(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 320);
    await page.context().close();
  });
});
