import assert from 'node:assert/strict';
import type { Message } from '../../src/agent/event';
import { inputText } from '../../src/agent/tool';
import { memoryFitStore } from '../../src/llm/fit';
import { collect, openaiAt, QUESTION } from '../support/ask';
import { type ModelReplySpec, type ModelServer, startModelServer } from '../support/modelServer';
import { DONE, data, delta, finish, ofType, whole } from '../support/wire';

describe('native tool calls', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer();
  });
  after(() => server.close());

  /** One event with the given fragments of calls. */
  const calling = (...fragments: object[]) => data(delta(null, null, { tool_calls: fragments }));
  const part = (index: number | undefined, name: string | undefined, args: unknown, id?: string) => ({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    function: { ...(name === undefined ? {} : { name }), arguments: args },
  });
  const end = [data(delta('', 'tool_calls')), DONE];
  const callsOf = async (spec: ModelReplySpec) => {
    server.queue.push(spec);
    return ofType((await collect(openaiAt(server.baseUrl))).chunks, 'tool-call').map(({ call }) => call);
  };
  const said = async (...raw: string[]) =>
    (await callsOf({ raw: [...raw, ...end] })).map((call) => `${call.name} ${call.arguments}`);

  it('come in fragments, and each is given out the moment it is whole', async () => {
    server.queue.push({
      raw: [
        calling(part(0, 'Search', '', 'a')),
        calling(part(0, undefined, '{"thought":"Look it up","entity":')),
        calling(part(0, undefined, '"Engine}"}')),
        400,
        calling(part(1, 'Lookup', '{}', 'b')),
        ...end,
      ],
    });
    const begun = performance.now();
    let first = 0;
    const calls: object[] = [];
    for await (const chunk of openaiAt(server.baseUrl).stream(QUESTION, {}, new AbortController().signal)) {
      if (chunk.type !== 'tool-call') continue;
      first ||= performance.now() - begun;
      calls.push(chunk.call);
    }
    assert.ok(first < 350, `${first} ms`);
    assert.deepEqual(calls, [
      { id: 'a', name: 'Search', arguments: '{"thought":"Look it up","entity":"Engine}"}' },
      { id: 'b', name: 'Lookup', arguments: '{}' },
    ]);
  });

  it('are told apart where servers number them all 0, or not at all', async () => {
    const x = 'Search {"q":"x"}';
    const y = 'Search {"q":"y"}';
    assert.deepEqual(
      await said(calling(part(0, 'Search', '{"q":"x"}', 'a')), calling(part(0, 'Search', '{"q":"y"}', 'b'))),
      [x, y],
    );
    for (const index of [0, undefined]) {
      const [one, other] = [part(index, 'Search', '{"q":"x"}'), part(index, 'Search', '{"q":"y"}')];
      assert.deepEqual(await said(calling(one), calling(other)), [x, y]);
      assert.deepEqual(await said(calling(one), calling(part(index, 'Lookup', '{"q":"y"}'))), [x, 'Lookup {"q":"y"}']);
      assert.deepEqual(await said(calling(one), calling(one)), [x], 'said twice');
    }
    assert.deepEqual(
      await said(calling(part(undefined, 'Search', '{"q":"x"}'), part(undefined, 'Search', '{"q":"y"}'))),
      [x, y],
    );
  });

  it('are put together in whatever order and form their fragments come', async () => {
    const x = ['Search {"q":"x"}'];
    const heads = [part(0, 'Search', '', 'a'), part(1, 'Lookup', '', 'b')];
    const parallel = ['Search {"q":"x"}', 'Lookup {"w":"y"}'];
    assert.deepEqual(
      await said(
        calling(...heads),
        calling(part(0, undefined, '{"q":')),
        calling(part(1, undefined, '{"w":')),
        calling(part(1, undefined, '"y"}')),
        calling(part(0, undefined, '"x"}')),
      ),
      parallel,
    );
    assert.deepEqual(await said(calling(part(0, 'Search', '{}', 'a')), calling(part(0, undefined, '{"q":"x"}'))), x);
    assert.deepEqual(await said(calling(part(0, 'Sea', '')), calling(part(0, 'rch', '{"q":"x"}'))), x);
    assert.deepEqual(
      await said(calling(part(0, 'Search', '{"q"', 'a')), calling(part(0, undefined, ':"x"}', 'b'))),
      x,
      'an id for each fragment',
    );
    assert.deepEqual(await said(calling(part(0, 'Search', '{"q"')), calling(part(0, 'Search', ':"x"}'))), x);
    assert.deepEqual(await said(calling(part(0, 'functions.Search', '{"q":"x"}'))), x);
    assert.deepEqual(await said(calling(part(0, 'default_api:Search', '{"q":"x"}'))), x);
    assert.deepEqual(
      (await callsOf(whole({ content: null, tool_calls: [part(undefined, 'Search', { q: 'x' })] }, 'stop'))).map(
        (call) => call.arguments,
      ),
      ['{"q":"x"}'],
    );
    assert.deepEqual(
      (
        await callsOf(
          whole({ content: null, function_call: { name: 'Search', arguments: '{"q":"x"}' } }, 'function_call'),
        )
      ).map((call) => call.arguments),
      ['{"q":"x"}'],
    );
  });

  it('have ids of their own, also where the server gives none or the same', async () => {
    const ids: string[] = [];
    for (const id of [undefined, undefined, 'same']) {
      const raw = [calling(part(0, 'Search', '{"q":"x"}', id), part(1, 'Search', '{"q":"y"}', id)), ...end];
      ids.push(...(await callsOf({ raw })).map((call) => call.id));
    }
    assert.equal(new Set(ids).size, 6);
    assert.ok(ids.includes('same'));
    for (const id of ids) assert.match(id, /^([a-z0-9]{9}|same)$/);
  });

  it('have other ids than the key, which is shown in no options either', async () => {
    const key = 'tp-Zq8vT3nL0pYw71RbXc5e';
    const raw = [`call_${key}`, 'call_2'].map((id, at) => calling(part(at, 'Search', `{"q":"${at}"}`, id)));
    server.queue.push({ raw: [...raw, ...end] });
    const extraBody = { user: key, top_k: 5, options: { api_key: 'another', list: [`Bearer ${key}`, null] }, [key]: 1 };
    const { chunks } = await collect(openaiAt(server.baseUrl, { key, extraBody }));
    const [first, second] = ofType(chunks, 'tool-call').map(({ call }) => call.id);
    assert.match(first ?? '', /^[a-z0-9]{9}$/);
    assert.equal(second, 'call_2');
    assert.equal(server.requests.at(-1)!.body.user, key);
    const { user, top_k, options, stop } = ofType(chunks, 'accepted')[0]!.options;
    assert.deepEqual(
      [user, top_k, options, stop],
      ['…', 5, { api_key: '…', list: ['Bearer …', null] }, ['\nObservation', '\n观察']],
    );
    assert.ok(!JSON.stringify(chunks).includes(key));
  });

  it('are no calls where a filter cut them in two', async () => {
    const raw = [calling(part(0, 'Search', '{"q":"Anal', 'a')), data(delta(null, 'content_filter')), DONE];
    server.queue.push({ raw });
    const { chunks } = await collect(openaiAt(server.baseUrl));
    assert.deepEqual(ofType(chunks, 'tool-call'), []);
    assert.deepEqual(finish(chunks), ['content_filter']);
  });

  describe('that break off', () => {
    const half = (args = '{"q":"Ada Lovel') => calling(part(0, 'Search', args, 'a'));
    const wholeCall = { raw: [calling(part(0, 'Search', '{"q":"Ada Lovelace"}', 'a')), ...end] };
    const unmarked = (...raw: string[]): ModelReplySpec => ({ raw });
    const ask = async (...replies: ModelReplySpec[]) => {
      const fitStore = memoryFitStore();
      server.queue.push(...replies);
      const result = await collect(openaiAt(server.baseUrl, { fitStore }));
      const rest = server.queue.splice(0).length;
      const calls = ofType(result.chunks, 'tool-call').map(({ call }) => call.arguments);
      return { calls, error: result.error?.message, learnt: fitStore.get(server.baseUrl, 'm')?.unmarkedEnd, rest };
    };
    const WHOLE = { calls: ['{"q":"Ada Lovelace"}'], error: undefined, learnt: undefined, rest: 0 };

    it('are asked for again, whatever went wrong before, and with or without a mark', async () => {
      const failed = { status: 500, body: {} };
      assert.deepEqual(await ask(failed, unmarked(half()), wholeCall), WHOLE);
      for (const args of ['{', '{"q":"Ada Lovel}', '{"q":"Ada Lovelace"', "{'q': 'Ada", '["Ada', '"Ada']) {
        assert.deepEqual(await ask({ raw: [half(args), ...end] }, wholeCall), WHOLE, args);
        assert.deepEqual(await ask({ raw: [half(args), DONE] }, wholeCall), WHOLE, args);
      }
    });

    it('teach nothing about the ends of replies, and are never given out', async () => {
      for (const second of ['{"q":"Ada Lovel', '{"q":"Ada Lovelace, Count']) {
        const { calls, error, learnt, rest } = await ask(unmarked(half()), unmarked(half(second)), wholeCall);
        assert.deepEqual([calls, learnt, rest], [[], undefined, 1]);
        assert.match(error ?? '', /ended before it was complete, 2 attempts/);
      }
      const twice = await ask({ raw: [half(), ...end] }, { raw: [half(), ...end] });
      assert.deepEqual(twice, { calls: [], error: undefined, learnt: undefined, rest: 0 });
    });

    it('are left out beside whole ones, and are given out only where the output cap cut them', async () => {
      const three = ['{"q":"x"}', '{"q":"Bab', '{"q":"z"}'].map((args, at) => part(at, 'Search', args, `c${at}`));
      assert.deepEqual((await ask({ raw: [calling(...three), ...end] })).calls, ['{"q":"x"}', '{"q":"z"}']);
      assert.deepEqual((await ask({ raw: [half(), data(delta('', 'length')), DONE] })).calls, ['{"q":"Ada Lovel']);
    });

    it('are not those that are complete, however they are written', async () => {
      for (const args of ["{'q': 'it',}", '{"q": "a "quoted" word"} ', 'Kyoto', '"{\\"q\\":\\"x\\"}"', '["x"]']) {
        const { calls, error } = await ask({ raw: [half(args), ...end] });
        assert.deepEqual([calls, error], [[args.trim()], undefined]);
      }
      // The same whole call twice, each time without a mark: that is how this server ends its replies.
      const same = await ask(unmarked(half("{'q': 'it'}")), unmarked(half("{'q': 'it'}")));
      assert.deepEqual(same, { calls: ["{'q': 'it'}"], error: undefined, learnt: true, rest: 0 });
    });
  });

  it('go back as JSON, with text in place of null', async () => {
    const call = (id: string, args: string) => ({ id, name: 'Search', arguments: args });
    const toolCalls = [call('a', '{ "q": "x" }'), call('b', "{'q': 'it',}"), call('c', 'Kyoto')];
    const messages: Message[] = [
      ...QUESTION,
      { role: 'assistant', content: '', toolCalls },
      ...toolCalls.map(({ id }): Message => ({ role: 'tool', content: 'Nothing.', toolCallId: id })),
    ];
    server.queue.push('Fine.');
    await collect(openaiAt(server.baseUrl), messages);
    const sent = server.requests.at(-1)!.body.messages[2];
    assert.equal(sent.content, '');
    assert.deepEqual(
      sent.tool_calls.map((each: { function: { arguments: string } }) => each.function.arguments),
      ['{ "q": "x" }', '{"q":"it"}', '{}'],
    );
  });

  it('give the tool its own argument, whatever else the model made up', () => {
    assert.equal(inputText({ entity: 'Ada Lovelace', language: 'en' }, 'entity'), 'Ada Lovelace');
    assert.equal(inputText({ thought: 'Hm.', query: 'Ada Lovelace' }, 'entity'), 'Ada Lovelace');
    assert.equal(inputText({ expression: 42, unit: 'm' }, 'expression'), '42');
    assert.equal(inputText({ a: 'x', b: 'y' }, 'entity'), '{"a":"x","b":"y"}');
  });
});
