import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ReplyParser } from '../../src/agent/parse';
import { cpuTime } from '../support/cpuTime';

const options = { tools: ['Search', 'Lookup', 'Calculator'] };

/** Streams `text` in pieces of `size` characters until the parser says that the reply is complete. */
function stream(text: string, size = 1) {
  const parser = new ReplyParser(options);
  let show = '';
  let reasoning = '';
  let read = 0;
  while (read < text.length && !parser.complete) {
    const pushed = parser.push(text.slice(read, read + size));
    read += size;
    show += pushed.show;
    reasoning += pushed.reasoning;
  }
  return { parser, show, reasoning, read: text.slice(0, read), parsed: parser.end('stop') };
}

describe('reading a stream', () => {
  it('is complete at the very bracket that closes a tool’s argument', () => {
    for (const action of [
      'Action: Search[Salt]',
      'Action 2: `Lookup[a [b] c]',
      'Action: Calculator(2*(3+4))',
      '行动：Search【盐】',
    ]) {
      const { read, parser } = stream(`Thought: x\n${action} and so on, and on`);
      assert.equal(read, `Thought: x\n${action}`);
      assert.equal(parser.raw, read);
    }
  });

  it('is complete at the brace that closes an object, and at the closing tag of native markup', () => {
    for (const action of [
      'Action: Search\nAction Input: {"query": "a } b", "n": {"m": 1}}',
      'Action:\n```json\n{"action": "Search", "action_input": "Salt"}',
      '{"thought": "a", "action": "Search", "action_input": "Salt"}',
      '<tool_call>{"name": "Search", "arguments": {"query": "Salt"}}</tool_call>',
    ]) {
      assert.equal(stream(`${action}\nObservation: made up`).read, action);
    }
  });

  it('reads on to the end of the line where an answer may go on after its bracket', () => {
    assert.equal(stream('Action: Finish[Norway]\nObservation: made up').read, 'Action: Finish[Norway]\n');
    const { parser, show } = stream('Action: Finish[the ] key]\nThought: more');
    assert.equal(parser.raw, 'Action: Finish[the ] key]');
    assert.equal(show, 'Action: Finish[the ] key]');
    const rambling =
      'Action: Finish[Norway]. I hope that this explains it well, and if it does not then I can go on for hours';
    assert.equal(stream(rambling).parser.raw, 'Action: Finish[Norway]');
    assert.ok(stream(rambling).read.length < 70, 'a rambling line is not read to its end');
  });

  it('is complete at a label that can only come after the action', () => {
    for (const label of ['Thought 2:', 'Observation:', '**Observation 1:**', 'Final Answer:', '观察：', 'Action 2:']) {
      const { read, parser, parsed } = stream(`Action: Search\nAction Input: Salt\n${label} made up`);
      assert.equal(read.replace(/\**$/, ''), `Action: Search\nAction Input: Salt\n${label}`.replace(/\**$/, ''));
      assert.equal(parser.raw, 'Action: Search\nAction Input: Salt\n');
      assert.deepEqual(parsed.action, { tool: 'Search', input: 'Salt' });
    }
    const answer = stream('Final Answer: 42\n\nQuestion: and what is salt?');
    assert.equal(answer.parser.raw, 'Final Answer: 42\n\n');
  });

  it('cuts at an Observation label also where no action came before it', () => {
    const { parser, parsed, show } = stream('Thought: I would search.\nObservation: found it\nThought: fine');
    assert.ok(parser.complete);
    assert.equal(show, 'Thought: I would search.\n');
    assert.equal(parsed.problem, 'no-action');
  });

  it('holds a line back while it may become an Observation label, and shows it once it is clear', () => {
    const parser = new ReplyParser(options);
    assert.equal(parser.push('Thought: a\nObserv').show, 'Thought: a\n');
    assert.equal(parser.push('ation').show, '');
    assert.equal(parser.push(' of birds').show, 'Observation of birds');
    assert.equal(parser.push('\nObservation').show, '\n');
    const cut = parser.push(' 3: Birds');
    assert.deepEqual(cut, { show: '', reasoning: '', complete: true, chanting: false });
    assert.equal(parser.raw, 'Thought: a\nObservation of birds\n');
  });

  it('shows text in square brackets as it comes, though a tag may begin with one', () => {
    const parser = new ReplyParser(options);
    assert.equal(parser.push('Thought: from [').show, 'Thought: from ');
    assert.equal(parser.push('1').show, '[1');
  });

  it('shows reasoning apart, without its tags', () => {
    for (const size of [1, 3, 1000]) {
      const { show, reasoning, parsed } = stream(
        '<think>\nKant or Hegel?\n</think>\nThought: Kant.\nAction: Search[Kant]',
        size,
      );
      assert.equal(show, '\nThought: Kant.\nAction: Search[Kant]');
      assert.equal(reasoning, '\nKant or Hegel?\n');
      assert.equal(parsed.reasoning, 'Kant or Hegel?');
    }
  });

  it('notices a model that repeats itself, and no list, table, code or ordinary prose', () => {
    const chants = (text: string) => new ReplyParser(options).push(text).chanting;
    assert.ok(chants(`Thought: ${'the '.repeat(300)}`));
    assert.ok(chants('I should look at the page again to be sure of it. '.repeat(14)));
    assert.ok(chants('我需要再看一遍这个页面，确认一下这个答案是否正确，然后再作决定。'.repeat(20)));
    assert.ok(chants(`A good start, and then it goes wrong. ${'no '.repeat(400)}`));
    assert.ok(!chants('- the same item, again and again, as lists do have at times\n'.repeat(40)));
    assert.ok(!chants('| 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |\n'.repeat(40)));
    assert.ok(!chants(`\`\`\`\n${'x = x + 1\n'.repeat(200)}\`\`\`\n`));
    assert.ok(!chants('I should look at the page again to be sure of it. '.repeat(5)));
    const prose = Array.from(
      { length: 200 },
      (_, index) => `Sentence ${index} says that ${index * 7} is more than ${index}.`,
    );
    assert.ok(!chants(prose.join(' ')));
  });
});

const pieces = fc.constantFrom(
  ...[
    'Thought: ',
    'Thought 2: ',
    '\n',
    '\n\n',
    ' ',
    'Action: ',
    'Action 1: ',
    'Action Input: ',
    'Observation',
    'Observation: ',
    'Final Answer: ',
  ],
  ...[
    'Answer: ',
    'Question: ',
    'Plan:\n',
    'Search',
    'Finish',
    'Lookup[',
    'Search[',
    'Finish[',
    'Search("',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '"',
    "'",
  ],
  ...[
    '`',
    '```',
    '```json\n',
    '**',
    '- ',
    '> ',
    '1. ',
    '<think>',
    '</think>',
    '[THINK]',
    '[/THINK]',
    '<thought>',
    '</thought>',
    '<tool_call>',
    '</tool_call>',
    '<|im_end|>',
    '<',
    '>',
    '|',
  ],
  ...[
    '{"action": "Search", "action_input": "x"}',
    '{"query": "',
    ':',
    '：',
    '行动：',
    '观察：',
    '最终答案：',
    '【',
    '】',
    '“',
    '”',
    'None',
    '…',
    '\\',
    '\r\n',
  ],
  ...[
    'for example:\n',
    'salt',
    'the sea',
    '盐',
    '(0, 1]',
    '[0, 1)',
    '[TOOL_CALLS]',
    '<function=Search>',
    '<｜DSML｜invoke name="Search">',
    '<|channel|>analysis<|message|>',
  ],
);
const reply = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Cuts a text at the given fractions of its length. */
function chunked(text: string, cuts: number[]): string[] {
  const offsets = [
    0,
    ...cuts.map((cut) => Math.floor(cut * text.length)).sort((left, right) => left - right),
    text.length,
  ];
  return offsets.slice(1).map((offset, index) => text.slice(offsets[index], offset));
}

describe('reading any text', () => {
  it('gives the same result at any chunking, and shows only what belongs to the reply', () => {
    fc.assert(
      fc.property(
        reply,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        fc.constantFrom('stop', 'length', null),
        (text, cuts, reason) => {
          const whole = new ReplyParser(options);
          const all = whole.push(text);
          const expected = whole.end(reason);
          for (const chunks of [chunked(text, cuts), [...text]]) {
            const parser = new ReplyParser(options);
            let show = '';
            let reasoning = '';
            for (const chunk of chunks) {
              const pushed = parser.push(chunk);
              show += pushed.show;
              reasoning += pushed.reasoning;
            }
            assert.equal(parser.complete, all.complete);
            assert.deepEqual(parser.end(reason), expected);
            assert.equal(parser.raw, whole.raw);
            assert.equal(show, all.show);
            assert.equal(reasoning, all.reasoning);
          }
          assert.ok(text.startsWith(whole.raw));
          assert.ok(
            (expected.action === undefined) !== (expected.problem === undefined),
            'either an action or a problem',
          );
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('shows a reply without reasoning to the last character before the cut', () => {
    fc.assert(
      fc.property(reply, (text) => {
        fc.pre(!/think|[<[◁]|observation|观/i.test(text));
        const parser = new ReplyParser(options);
        const { show, complete } = parser.push(`${text}\n.....`);
        assert.ok(parser.raw.startsWith(show), 'shown as written');
        if (complete) assert.equal(show, parser.raw, 'nothing is left unshown');
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the text', () => {
    const size = 250_000;
    const hostile = [
      ...['[', ']', '(', '"', '{', '`', '*', '<', ':', '\n', ' ', 'a', '观察', '{}\n', '[]{}()"\'`:\n', '"]', '"a",'],
      ...[
        'Observatio\n',
        'Observation x\n',
        'Action: go there and look\n',
        'Action: None\n',
        'Action: Finish[]\n',
        'Thought: a\n',
        'Answer: a\n',
      ],
      ...[
        'Search[x] is a thing\n',
        'Search(',
        'for example:\n',
        '```json\n{\n',
        '{"action":"no tool at all"}\n',
        '{"a":',
        '[{',
        'a ** ',
        '- ✅ ',
      ],
      ...[
        '<think>',
        '<think></think>',
        '</think>',
        '[THINK][/THINK]',
        '<thought>',
        '<tool_call>',
        '</tool_call>',
        '<parameter=a>',
        '<arg_key>',
        '<|channel|>',
        'I must search. ',
        '(0,1]',
      ],
    ];
    const openings = [
      '',
      'Thought: ',
      'Action: Search[',
      'Action: Finish(',
      'Action: Finish[',
      'Action: note\nAction Input: {"a": "',
      'Final Answer: ',
      'Plan:\n',
      '<tool_call>',
    ];
    const slow: string[] = [];
    for (const [index, unit] of hostile.entries()) {
      const opening = openings[index % openings.length] as string;
      for (const start of new Set(['', opening])) {
        const text = (start + unit.repeat(size / unit.length)).slice(0, size);
        const took = cpuTime();
        const parser = new ReplyParser(options);
        parser.push(text);
        parser.end('stop');
        const ms = took();
        // A few milliseconds; a quadratic reader needs many seconds.
        if (ms > 500) slow.push(`${start}${unit} ${ms} ms`);
      }
    }
    assert.deepEqual(slow, []);
  }).timeout(60_000);
});
