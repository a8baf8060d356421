import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventReader } from '../../src/llm/wildStream';
import { collect, openaiAt, QUESTION } from '../support/ask';
import { cpuTime } from '../support/cpuTime';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { DONE, data, delta, finish, ofType, whole } from '../support/wire';

describe('a stream as servers send it', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer();
  });
  after(() => server.close());

  it('arrives word by word, with usage and the reason for its end', async () => {
    server.queue.push({ text: 'Thought 1: I look it up.', tokenMs: 15 });
    const { chunks, text } = await collect(openaiAt(server.baseUrl, { key: 'k-0123456789' }));
    assert.equal(text, 'Thought 1: I look it up.');
    assert.ok(ofType(chunks, 'text').length > 3);
    assert.deepEqual(finish(chunks), ['stop']);
    assert.equal(ofType(chunks, 'usage')[0]?.usage.completion, 6);
    const { headers, body } = server.requests.at(-1)!;
    assert.equal(headers.authorization, 'Bearer k-0123456789');
    assert.deepEqual(body.stop, ['\nObservation', '\n观察']);
    const [accepted] = ofType(chunks, 'accepted');
    assert.deepEqual(accepted?.options, {
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: 1024,
      stop: ['\nObservation', '\n观察'],
    });
  });

  it('comes without a key, and then without an Authorization header', async () => {
    await collect(openaiAt(server.baseUrl));
    assert.equal(server.requests.at(-1)!.headers.authorization, undefined);
  });

  it('hands out each piece before the next is sent', async () => {
    server.queue.push({ raw: [data(delta('first')), 150, data(delta(' second')), data(delta('', 'stop')), DONE] });
    const iterator = openaiAt(server.baseUrl)
      .stream(QUESTION, {}, new AbortController().signal)
      [Symbol.asyncIterator]();
    assert.equal((await iterator.next()).value.type, 'accepted');
    const sent = performance.now();
    assert.equal((await iterator.next()).value.text, 'first');
    assert.ok(performance.now() - sent < 100);
    assert.equal((await iterator.next()).value.text, ' second');
    await iterator.return?.(undefined);
  });

  /** Streams that all say “Grüße, 世界 🌍”. */
  const GREETING = 'Grüße, 世界 🌍';
  const bytes = (text: string) => new TextEncoder().encode(text);
  const split = (text: string) => Array.from(bytes(text), (byte) => Uint8Array.of(byte));
  const greeting = data(delta('Grüße, ')) + data(delta('世界 🌍')) + data(delta('', 'stop')) + DONE;
  const WILD: Record<string, (string | Uint8Array | number)[]> = {
    'as the standard says': [greeting],
    'byte by byte': split(greeting),
    'with CRLF': [greeting.replaceAll('\n', '\r\n')],
    'with CRLF, byte by byte': split(greeting.replaceAll('\n', '\r\n')),
    'with carriage returns only': [greeting.replaceAll('\n', '\r')],
    'with single newlines': [greeting.replaceAll('\n\n', '\n')],
    'with comments, a bare colon and pings': [
      `:\n\n: ping - 2026-01-01\n\n${greeting.replaceAll('data: {', ': OPENROUTER PROCESSING\n\ndata: {')}`,
    ],
    'with event names, ids and retry': [greeting.replaceAll('data: {', 'event: message\nid: 7\nretry: 3000\ndata: {')],
    'without a space after data:': [greeting.replaceAll('data: ', 'data:')],
    'with a byte order mark': ['\uFEFF', greeting],
    'without [DONE]': [greeting.replace(DONE, '')],
    'without a reason for the end': [greeting.replace('"stop"', 'null')],
    'without a blank line at the end': [greeting.replace(DONE, 'data: [DONE]')],
    'with a reason for the end in the last piece of text': [data(delta('Grüße, ')) + data(delta('世界 🌍', 'stop'))],
    'with words that are no JSON': [`data: ping\n\n${greeting}`],
    'with such words between single newlines': [
      greeting.replaceAll('\n\n', '\n').replaceAll('data: {', 'data: keep-alive\ndata: [PING]\ndata: {'),
    ],
    'with the JSON broken over two data lines': [greeting.replaceAll('"choices":', '"choices":\ndata: ')],
    'with CRLF and the JSON broken over two data lines': split(
      greeting.replaceAll('"choices":', '"choices":\ndata: ').replaceAll('\n', '\r\n'),
    ),
    'with usage in a piece without choices': [
      greeting.replace(DONE, `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5}}\n\n${DONE}`),
    ],
    'with usage null and empty choices at the beginning': [
      data('{"choices":[],"usage":null,"prompt_filter_results":[]}') + greeting,
    ],
    'with null content and a role first': [data(delta(null, null, { role: 'assistant' })) + greeting],
    'as JSON lines': [`${delta('Grüße, ')}\n${delta('世界 🌍', 'stop')}\n`],
    'as one JSON object': [whole({ content: GREETING }, 'stop').body].map((body) => JSON.stringify(body, null, 2)),
    'as one JSON object in a list': [JSON.stringify([whole({ content: GREETING }, 'stop').body])],
    'with content in parts': [
      data(
        JSON.stringify({
          choices: [
            {
              delta: {
                content: [
                  { type: 'text', text: 'Grüße, ' },
                  { type: 'text', text: '世界 🌍' },
                ],
              },
              finish_reason: 'stop',
            },
          ],
        }),
      ),
    ],
    'and stays open after its end': [greeting, 5000],
  };
  for (const [name, raw] of Object.entries(WILD)) {
    it(`is read ${name}`, async () => {
      server.queue.push({ raw, ending: name.includes('open') ? 'stall' : 'end' });
      const begun = performance.now();
      const { text, chunks, notices, error } = await collect(openaiAt(server.baseUrl));
      assert.equal(error, undefined);
      assert.equal(text, GREETING);
      assert.deepEqual(finish(chunks), ['stop']);
      assert.deepEqual(notices, []);
      assert.ok(performance.now() - begun < 3000);
    });
  }

  it('is read alike however the network cuts it', () => {
    const text = greeting.replace('data: {', ': note\r\n\r\ndata: {');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 12 }), (cuts) => {
        const reader = new EventReader();
        const edges = [0, ...[...cuts].sort((one, other) => one - other), text.length];
        const events = edges.slice(1).flatMap((edge, index) => [...reader.push(text.slice(edges[index], edge))]);
        events.push(...reader.end());
        assert.deepEqual(
          events.map((event) => event.type),
          ['data', 'data', 'data', 'done'],
        );
      }),
      { numRuns: 300 },
    );
  });

  /** All events of a reply in the given pieces, and the processor time they took. */
  const timed = (pieces: Iterable<string>) => {
    const reader = new EventReader();
    const took = cpuTime();
    const events = Array.from(pieces, (piece) => [...reader.push(piece)]).flat();
    events.push(...reader.end());
    return { events, ms: took() };
  };

  it('takes time proportional to its length, also as one long line, many words or broken over many lines', () => {
    const members = Array.from({ length: 30_000 }, (_, at) => ({ at }));
    const pretty = JSON.stringify({ choices: [{ delta: { content: 'Yes.' }, logprobs: members }] }, null, 1);
    const piece = data(delta('Yes.'));
    const replies: Record<string, string[]> = {
      'a long line': ['data: {"choices": "', ...Array<string>(100_000).fill('x'.repeat(50)), '"}\n\n'],
      'a body of white space': [...Array<string>(100_000).fill('\n\n\n\n'), piece],
      words: ['data: keep-alive\n'.repeat(100_000), piece],
      'many lines': [`${pretty.replace(/^/gm, 'data: ')}\n\n`],
    };
    for (const [name, pieces] of Object.entries(replies)) {
      const { events, ms } = timed(pieces);
      assert.deepEqual(
        events.map((event) => event.type),
        ['data'],
        name,
      );
      assert.ok(ms < 3000, `${name}: ${ms} ms`);
    }
  });

  it('is not held without end', () => {
    const endless = function* (begin: string, more: string) {
      yield begin;
      for (let sent = 0; sent < 2 ** 25; sent += more.length) yield more;
    };
    for (const [begin, line] of [
      ['data: ', 'x'],
      ['data: {\n', `data: "${'x'.repeat(100)}",\n`],
      ['{', ' '],
    ] as const) {
      assert.throws(() => timed(endless(begin, line.repeat(10_000))), { name: 'StreamFault', kind: 'garbled' });
    }
  });

  describe('says what kind of reply it is', () => {
    it('reasoning apart from the text, under each of its names', async () => {
      for (const more of [
        { reasoning_content: 'Hm.' },
        { reasoning: 'Hm.' },
        { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] },
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] },
      ]) {
        server.queue.push({ raw: [data(delta(null, null, more)), data(delta('Yes.', 'stop')), DONE] });
        const { chunks, text } = await collect(openaiAt(server.baseUrl));
        assert.deepEqual(
          ofType(chunks, 'reasoning').map((chunk) => chunk.text),
          ['Hm.'],
        );
        assert.equal(text, 'Yes.');
      }
    });

    it('both names of reasoning at once are said once', async () => {
      server.queue.push({
        raw: [data(delta('', null, { reasoning: 'Hm.', reasoning_content: 'Hm.' })), data(delta('Yes.', 'stop'))],
      });
      assert.equal(ofType((await collect(openaiAt(server.baseUrl))).chunks, 'reasoning').length, 1);
    });

    it('reasoning only', async () => {
      server.queue.push(whole({ content: '', reasoning_content: 'I need to search first.' }, 'stop'));
      const { chunks, text, error } = await collect(openaiAt(server.baseUrl));
      assert.equal(error, undefined);
      assert.equal(text, '');
      assert.deepEqual(finish(chunks), ['stop']);
      assert.equal(ofType(chunks, 'reasoning')[0]?.text, 'I need to search first.');
    });

    it('cut by the output cap, withheld by a filter, refused', async () => {
      server.queue.push(
        whole({ content: 'Thought 1: I need to' }, 'length'),
        whole({ content: '' }, 'content_filter'),
        whole({ content: null, refusal: 'I cannot help with that.' }, 'stop'),
      );
      assert.deepEqual(finish((await collect(openaiAt(server.baseUrl))).chunks), ['length']);
      assert.deepEqual(finish((await collect(openaiAt(server.baseUrl))).chunks), ['content_filter']);
      const refused = await collect(openaiAt(server.baseUrl));
      assert.deepEqual(finish(refused.chunks), ['refusal']);
      assert.equal(refused.text, 'I cannot help with that.');
    });
  });

  describe('and its connection', () => {
    let own: ModelServer;
    afterEach(() => own?.close());

    it('is kept for the next reply when the stream ran to its end', async () => {
      own = await startModelServer(() => 'Thought 1: fine.');
      const llm = openaiAt(own.baseUrl);
      for (let call = 0; call < 5; call++) await collect(llm);
      assert.equal(own.connections, 1);
    });

    it('is closed at once when the reader leaves early', async () => {
      own = await startModelServer(() => ({ text: 'word '.repeat(200), tokenMs: 5 }));
      for await (const chunk of openaiAt(own.baseUrl).stream(QUESTION, {}, new AbortController().signal)) {
        if (chunk.type === 'text') break;
      }
      await own.settled(500);
      assert.equal(own.requests.at(-1)?.state, 'closed');
      assert.ok(own.tokensSent < 100, `${own.tokensSent} tokens`);
    });

    for (const [when, reply] of Object.entries({
      'before the first token': { text: 'late', firstTokenMs: 60_000 },
      'in mid-reply': { text: 'word '.repeat(50), tokenMs: 20 },
    })) {
      it(`is closed at once by Stop ${when}`, async () => {
        own = await startModelServer(() => reply);
        const stop = new AbortController();
        setTimeout(() => stop.abort(), 60);
        const begun = performance.now();
        const { error } = await collect(openaiAt(own.baseUrl), QUESTION, {}, stop.signal);
        assert.equal(error?.name, 'AbortError');
        assert.ok(performance.now() - begun < 1000);
        await own.settled(500);
        assert.equal(own.requests.at(-1)?.state, 'closed');
      });
    }

    it('is not even opened when Stop came first', async () => {
      const before = server.requests.length;
      const { error } = await collect(openaiAt(server.baseUrl), QUESTION, {}, AbortSignal.abort());
      assert.equal(error?.name, 'AbortError');
      assert.equal(server.requests.length, before);
    });
  });
});
