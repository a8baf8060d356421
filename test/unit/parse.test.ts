import assert from 'node:assert/strict';
import { type ParsedReply, parseReply, type RepairKind } from '../../src/agent/parse';

const TOOLS = ['Search', 'Lookup', 'Calculator', 'Fetch', '搜索', '查找', 'current_time', 'Trip Planner'];
const parse = (text: string, finishReason: string | null = 'stop') => parseReply(text, { tools: TOOLS }, finishReason);

/** One way to write an action: what it says, and what had to be repaired. */
type Row = [text: string, tool: string, input: string, ...repairs: RepairKind[]];

function reads(rows: Row[]): void {
  for (const [text, tool, input, ...repairs] of rows) {
    const parsed = parse(text);
    assert.deepEqual(
      { action: parsed.action, repairs: parsed.repairs },
      { action: { tool, input }, repairs },
      JSON.stringify(text),
    );
  }
}

function lacksAction(text: string, problem: ParsedReply['problem'], finishReason = 'stop'): ParsedReply {
  const parsed = parse(text, finishReason);
  assert.equal(parsed.action, undefined, JSON.stringify(text));
  assert.equal(parsed.problem, problem, JSON.stringify(text));
  assert.deepEqual(parsed.repairs, [], 'nothing was repaired where nothing was read');
  return parsed;
}

describe('reading replies: the two notations', () => {
  it('reads numbered and plain labels with their thought', () => {
    const numbered = parse('Thought 1: The bridge opened in some year.\nAction 1: Search[Forth Bridge]');
    assert.deepEqual(numbered, {
      thought: 'The bridge opened in some year.',
      action: { tool: 'Search', input: 'Forth Bridge' },
      repairs: [],
    });
    const plain = parse('Thought: The page says 1890.\n\nFinal Answer: 1890');
    assert.deepEqual(plain, {
      thought: 'The page says 1890.',
      action: { tool: 'Finish', input: '1890' },
      repairs: [],
    });
  });

  it('takes what stands in thought tags as the thought where there is no other, as reasoning where there is', () => {
    const { thought, reasoning } = parse('<thought>Salt it is.</thought><action>Search[Salt]</action>');
    assert.deepEqual([thought, reasoning], ['Salt it is.', undefined]);
    const both = parse('<thought>Pepper? No.</thought>Thought: Salt it is.\nAction: Search[Salt]');
    assert.deepEqual([both.thought, both.reasoning], ['Salt it is.', 'Pepper? No.']);
    const unclosed = parse('<thought>Salt it is.\nAction: Search[Salt]');
    assert.deepEqual([unclosed.thought, unclosed.action?.input], ['Salt it is.', 'Salt']);
  });

  it('joins thoughts of several lines', () => {
    const parsed = parse('First, the mountain.\nThought: It is in Kenya.\nIt is high.\nAction: Search[Mount Kenya]');
    assert.equal(parsed.thought, 'First, the mountain.\nIt is in Kenya.\nIt is high.');
  });

  it('passes over wrong numbers, case, emphasis, lists, headings, quotation and full-width signs', () => {
    reads([
      ['Thought 7: x\nAction 2: Lookup[height]', 'Lookup', 'height'],
      ['thought: x\naction: lookup[height]', 'lookup', 'height'],
      ['ACTION 3: LOOKUP[height]', 'LOOKUP', 'height'],
      ['**Thought:** x\n**Action:** **Lookup[height]**', 'Lookup', 'height'],
      ['**Thought**: x\n**Action**: Lookup[height]', 'Lookup', 'height'],
      ['*Action 1:* `Lookup[height]`', 'Lookup', 'height'],
      ['__Action__: **Lookup**[height]', 'Lookup', 'height'],
      ['- Thought: x\n- Action: Lookup[height]', 'Lookup', 'height'],
      ['1. Thought: x\n2. Action: Lookup[height]', 'Lookup', 'height'],
      ['> Thought: x\n> Action: Lookup[height]', 'Lookup', 'height'],
      ['### Thought\nx\n### Action\nLookup[height]', 'Lookup', 'height'],
      ['Action\nLookup[height]', 'Lookup', 'height'],
      ['Action 4:\n\n\n  Lookup[height]', 'Lookup', 'height'],
      ['[Thought] x\n[Action] Lookup[height]', 'Lookup', 'height'],
      ['Action (2): Lookup[height]', 'Lookup', 'height'],
      ['Action #2 : Lookup[height]', 'Lookup', 'height'],
      ['Action 2 Lookup[height]', 'Lookup', 'height'],
      ['Action 2. Lookup[height]', 'Lookup', 'height'],
      ['Action -> Lookup[height]', 'Lookup', 'height'],
      ['Action：Lookup［height］', 'Lookup', 'height'],
      ['\ufeffAction: Lookup[height]\r\n', 'Lookup', 'height'],
      ['"Thought: x\nAction: Lookup[height]"', 'Lookup', 'height'],
      ['Action: “Lookup[height]”', 'Lookup', 'height'],
      ['Action: Lookup【height】', 'Lookup', 'height'],
      ['Action: Lookup[height】', 'Lookup', 'height'],
      ['<thought>x</thought><action>Lookup[height]</action>', 'Lookup', 'height'],
    ]);
  });

  it('reads Chinese labels, tools and brackets', () => {
    reads([
      ['思考：先查长城。\n行动：搜索【长城】', '搜索', '长城'],
      ['思考 2：再看长度。\n动作 2：Lookup[长度]\n观察 2：……', 'Lookup', '长度', 'several-steps'],
      ['**想法**：好\n**操作**：`查找[长度]`', '查找', '长度'],
      ['行动：搜索（长城）', '搜索', '长城', 'function-call'],
      ['行动：搜索「长城」', '搜索', '长城'],
      ['行动：搜索：长城', '搜索', '长城', 'loose-argument'],
      ['行动：搜索长城', '搜索', '长城', 'loose-argument'],
      ['行动：搜索\n行动输入：长城', '搜索', '长城'],
      ['【思考】好\n【行动】Search[长城]', 'Search', '长城'],
      ['思考：知道了。\n行动：完成[两万多公里]', 'Finish', '两万多公里'],
      ['行动：结束【两万多公里】', 'Finish', '两万多公里'],
      ['最终答案：两万多公里', 'Finish', '两万多公里'],
      ['思考：知道了。\n答案：两万多公里', 'Finish', '两万多公里'],
      ['答：两万多公里', 'Finish', '两万多公里'],
      ['行动：无\n最终答案：两万多公里', 'Finish', '两万多公里'],
      ['行动：使用Search[长城]', 'Search', '长城'],
    ]);
  });
});

describe('reading replies: the action', () => {
  it('reads every way to write the argument', () => {
    reads([
      ['Action: Search["Salt"]', 'Search', 'Salt'],
      ["Action: Search['Salt']", 'Search', 'Salt'],
      ['Action: Search[“Salt”]', 'Search', 'Salt'],
      ["Action: Search['Mother's Day']", 'Search', "Mother's Day"],
      ['Action: Search["Salt" and "Pepper"]', 'Search', '"Salt" and "Pepper"'],
      ['Action: Search["The \\"Salt\\" book"]', 'Search', 'The "Salt" book'],
      ['Action: Search[[Salt]]', 'Search', 'Salt'],
      ['Action: Search [Salt]', 'Search', 'Salt'],
      ['Action: Search{Salt}', 'Search', 'Salt'],
      ['Action: Search\n[Salt]', 'Search', 'Salt'],
      ['Action: [Search] Salt', 'Search', 'Salt', 'loose-argument'],
      ['Action: [Search[Salt]]', 'Search', 'Salt'],
      ['Action: Search: Salt', 'Search', 'Salt', 'loose-argument'],
      ['Action: Search - Salt', 'Search', 'Salt', 'loose-argument'],
      ['Action: Search "Salt"', 'Search', 'Salt', 'loose-argument'],
      ['Action: Search for Salt', 'Search', 'Salt', 'loose-argument'],
      ['Action: Search\nSalt', 'Search', 'Salt', 'loose-argument'],
      ['Action: Use the Search tool: Salt', 'Search', 'Salt', 'loose-argument'],
      ['Action: I will use Search[Salt]', 'Search', 'Salt'],
      ['Action: Search tool[Salt]', 'Search', 'Salt'],
      ['Action: Search[query="Salt"]', 'Search', 'Salt'],
      ['Action: Search[{"query": "Salt"}]', 'Search', 'Salt'],
      ['Action: Calculator[(2 + 3) * [4]]', 'Calculator', '(2 + 3) * [4]'],
      ['Action: Calculator 2*(3+4)', 'Calculator', '2*(3+4)', 'loose-argument'],
      ['Action: Calculator[5 > 3]', 'Calculator', '5 > 3'],
    ]);
  });

  it('reads function calls', () => {
    reads([
      ['Action: Search("Salt")', 'Search', 'Salt', 'function-call'],
      ["Action: Search('Salt', limit=3)", 'Search', 'Salt', 'function-call'],
      ['Action: Search(query="Salt")', 'Search', 'Salt', 'function-call'],
      ['Action: Search(query=Salt, Utah)', 'Search', 'Salt, Utah', 'function-call'],
      ['Action: Search({"query": "Salt"})', 'Search', 'Salt', 'function-call'],
      ['Action: functions.Search("Salt")', 'Search', 'Salt', 'function-call'],
      ['Action: Search (Salt)', 'Search', 'Salt', 'function-call'],
      ['Action: finish(answer="Bern, since 1848")', 'Finish', 'Bern, since 1848', 'function-call'],
      ["Action: Finish('It\\'s Bern')", 'Finish', "It's Bern", 'function-call'],
      ['Action: Finish(Bern, Switzerland)', 'Finish', 'Bern, Switzerland', 'function-call'],
      ["Action: note(text='Action: stop()')", 'note', 'Action: stop()', 'function-call'],
      ['Action: current_time()', 'current_time', '', 'function-call'],
    ]);
  });

  it('reads an input under a label of its own', () => {
    reads([
      ['Action: Search\nAction Input: Salt', 'Search', 'Salt'],
      ['Action: Search\n\nAction Input: "Salt"\n', 'Search', 'Salt'],
      ['**Action:** Search\n**Action Input:** Salt', 'Search', 'Salt'],
      ['Action: Search\nInput: Salt', 'Search', 'Salt'],
      ['Tool: Search\nArguments: {"query": "Salt"}', 'Search', 'Salt'],
      ['Action: Search\nAction Input: {"query": "Salt", "limit": 3}', 'Search', 'Salt'],
      ['Action: Search\nAction Input: ["Salt"]', 'Search', 'Salt'],
      ['Action: Search\nAction Input: [Salt]', 'Search', 'Salt'],
      ['Action: Search\nAction Input: Search[Salt]', 'Search', 'Salt'],
      ['Action: Search\nAction Input:\n```json\n{"query": "Salt"}\n```', 'Search', 'Salt'],
      ['Action: Search, Action Input: Salt', 'Search', 'Salt', 'loose-argument'],
      ['Action: Search (finds a page)\nAction Input: Salt', 'Search', 'Salt'],
      ['Action: Trip Planner\nAction Input: Oslo to Bergen', 'Trip Planner', 'Oslo to Bergen'],
      ['Action: multiply\nInput: {"b": 3}', 'multiply', '{"b":3}'],
      ['Action: multiply\nAction Input: {"a": 2, "b": 3}', 'multiply', '{"a":2,"b":3}'],
      ['Action: send\nAction Input: {"to": "Ada", "reason": "news"}', 'send', '{"to":"Ada","reason":"news"}'],
      ['Action: current_time\nAction Input: {}', 'current_time', ''],
      ['Action: current_time\nAction Input: None', 'current_time', ''],
      ['Action: current_time', 'current_time', ''],
      ['Action: finish\nAction Input: 1890', 'Finish', '1890'],
      ['<tool>search</tool><tool_input>Salt</tool_input>', 'search', 'Salt'],
    ]);
  });

  it('keeps an input as it was written: quotes of a query, several lines, words that only look like a label', () => {
    reads([
      ['Action: sql\nAction Input: SELECT "a" FROM t WHERE b = "c"', 'sql', 'SELECT "a" FROM t WHERE b = "c"'],
      [
        'Action: note\nAction Input: one\n\nObservations so far: none\nthree',
        'note',
        'one\n\nObservations so far: none\nthree',
      ],
      ['Action: note\nAction Input: one\nObservation deck: open\nthree', 'note', 'one\nObservation deck: open\nthree'],
      ['Action: note\nAction Input: one\ntwo\nObservation 4: saved', 'note', 'one\ntwo', 'several-steps'],
      ['Action: note\nAction Input: one\n**Observation:** saved', 'note', 'one', 'several-steps'],
    ]);
  });

  it('reads objects: JSON, Python, fenced, whole replies and nested calls', () => {
    reads([
      ['Action: {"action": "Search", "action_input": "Salt"}', 'Search', 'Salt', 'json'],
      ['Action:\n```json\n{"action": "Search", "action_input": "Salt"}\n```', 'Search', 'Salt', 'code-fence', 'json'],
      ['{"thought": "x", "action": "Search", "action_input": "Salt"}', 'Search', 'Salt', 'json'],
      ["{'tool': 'Search', 'input': 'Salt',} # done", 'Search', 'Salt', 'json', 'trailing-text'],
      ['{"action": {"name": "Search", "args": {"query": "Salt"}}}', 'Search', 'Salt', 'json'],
      ['{"tool": "Search", "query": "Salt"}', 'Search', 'Salt', 'json'],
      ['{"action": "Search[Salt]"}', 'Search', 'Salt', 'json'],
      ['{"Search": "Salt"}', 'Search', 'Salt', 'json'],
      ['[{"name": "Search", "arguments": {"query": "Salt"}}]', 'Search', 'Salt', 'json'],
      [
        '{"tool_calls": [{"function": {"name": "Search", "arguments": "{\\"q\\": \\"Salt\\"}"}}]}',
        'Search',
        'Salt',
        'json',
      ],
      ['{"action": "Final Answer", "action_input": "1890"}', 'Finish', '1890', 'json'],
      ['{"thought": "x", "final_answer": "1890"}', 'Finish', '1890', 'json'],
      ['{"action": "Search", "action_input": "Salt"', 'Search', 'Salt', 'json'],
      [
        '```json\n{"action": "save", "action_input": "```js\\nf()\\n```"}\n```',
        'save',
        '```js\nf()\n```',
        'code-fence',
        'json',
      ],
      [
        'Action: run\nAction Input: {"code": "x = {1: {2: 3}}\\nprint(x)"}\nDone!',
        'run',
        'x = {1: {2: 3}}\nprint(x)',
        'trailing-text',
      ],
      [
        "Action: find\nAction Input: {'in': ['a'], /* two */ 'n': 2,} as said",
        'find',
        '{"in":["a"],"n":2}',
        'json',
        'trailing-text',
      ],
    ]);
    assert.equal(
      parse('{"thought": "Salt first.", "action": "Search", "action_input": "Salt"}').thought,
      'Salt first.',
    );
  });

  it('reads native tool markup that leaked into the text', () => {
    const rows = [
      '<tool_call>\n{"name": "Search", "arguments": {"query": "Salt"}}\n</tool_call>',
      '<tool_call>Search\n<arg_key>query</arg_key>\n<arg_value>Salt</arg_value>\n</tool_call>',
      '<tool_call>\n<function=Search>\n<parameter=query>\nSalt\n</parameter>\n</function>\n</tool_call>',
      '<function=Search>{"query": "Salt"}</function>',
      '<function_calls><invoke name="Search"><parameter name="query">Salt</parameter></invoke></function_calls>',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="Search">\n<｜DSML｜parameter name="q" string="true">Salt</｜DSML｜parameter>\n</｜DSML｜invoke>',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>Search\n```json\n{"query":"Salt"}\n```<｜tool▁call▁end｜>',
      '<｜tool▁call▁begin｜>Search<｜tool▁sep｜>{"query":"Salt"}<｜tool▁call▁end｜>',
      '[TOOL_CALLS] [{"name": "Search", "arguments": {"query": "Salt"}}]',
      '[TOOL_CALLS]Search[ARGS]{"query": "Salt"}',
      '<|python_tag|>{"name": "Search", "parameters": {"query": "Salt"}}',
      '<|python_tag|>Search.call(query="Salt")',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.Search:0<|tool_call_argument_begin|>{"query":"Salt"}<|tool_call_end|>',
      '<|channel|>commentary to=functions.Search <|constrain|>json<|message|>{"query":"Salt"}<|call|>',
    ];
    reads(rows.map((text): Row => [text, 'Search', 'Salt', 'markup']));
    assert.equal(parse(`I look it up.\n${rows[0]}`).thought, 'I look it up.');
    lacksAction('<tool_call>oh no</tool_call>', 'markup');
  });

  it('names tools as they were written, known or not, and never mistakes a sentence for a tool', () => {
    reads([
      ['Action: Login', 'Login', ''],
      ['Action: constructor[x]', 'constructor', 'x'],
      ['Action: hasOwnProperty(x)', 'hasOwnProperty', 'x', 'function-call'],
      ['Action: Web Browser[salt]', 'Web Browser', 'salt'],
    ]);
    lacksAction('Action: I am going to think about this some more now.', 'no-action');
  });
});

describe('reading replies: where an action ends', () => {
  it('takes the first action, and drops what was made up after it', () => {
    reads([
      [
        'Thought: a\nAction: Search[Salt]\nObservation: white\nThought: b\nAction: Finish[white]',
        'Search',
        'Salt',
        'several-steps',
      ],
      ['Action: `Search[Salt]`\nThought: then\nAction: `Finish[...]`', 'Search', 'Salt', 'several-steps'],
      [
        'Action: Search\nAction Input: Salt\nObservation: white\nFinal Answer: white',
        'Search',
        'Salt',
        'several-steps',
      ],
      ['Action: Search\nAction Input: Salt\nFinal Answer: white', 'Search', 'Salt', 'several-steps'],
      ['Action: Search[Salt]\nFinal Answer: white', 'Search', 'Salt', 'several-steps'],
      ['Action: Calculator[6*7] and then Finish[42]', 'Calculator', '6*7', 'trailing-text'],
      ['Action: Lookup[salt] on another page', 'Lookup', 'salt', 'trailing-text'],
      ['Action: Search[Salt]Search[Pepper]', 'Search', 'Salt', 'trailing-text'],
      [
        'Final Answer: 42\n\nQuestion: What is salt?\nThought: a\nAction: Search[Salt]',
        'Finish',
        '42',
        'several-steps',
      ],
      ['Answer: 42\n\nQuestion: What is salt?\nAction: Search[Salt]', 'Finish', '42', 'several-steps'],
      ['Final Answer: 42\nAction: Search[Salt]', 'Finish', '42', 'several-steps'],
      ['Answer: perhaps 42\nAction: Search[Salt]', 'Search', 'Salt'],
    ]);
  });

  it('balances the brackets of an answer, also unbalanced ones', () => {
    reads([
      ['Action: Finish[let a = [4, 5];\nprint(a[1]);]', 'Finish', 'let a = [4, 5];\nprint(a[1]);'],
      ['Action: Finish[Two parts:\n1. lens\n2. mirror]', 'Finish', 'Two parts:\n1. lens\n2. mirror'],
      ['Action 4: Finish[Norway].', 'Finish', 'Norway'],
      ['Action: Finish[Norway] [1]', 'Finish', 'Norway', 'trailing-text'],
      ['Action: Finish[[1, 2]]', 'Finish', '[1, 2]'],
      ['Action: Finish[print("]")]', 'Finish', 'print("]")'],
      ['Action: Finish[a 6" pipe]', 'Finish', 'a 6" pipe'],
      ['Action: Finish[x lies in (0, 1]]', 'Finish', 'x lies in (0, 1]'],
      ['Action: Finish[x lies in [0, 1) only]', 'Finish', 'x lies in [0, 1) only'],
      ['Action: Finish[the ] key]', 'Finish', 'the ] key'],
      ['Action: Finish[array[0]', 'Finish', 'array[0]', 'unclosed-bracket'],
      ['Action: Finish[Yes, both are rivers', 'Finish', 'Yes, both are rivers', 'unclosed-bracket'],
      ['Action: Finish[Yes\nThought 3: more\nAction 3: Search[x', 'Finish', 'Yes', 'unclosed-bracket'],
      ['Action: Search[Salt\nI wait for the result.', 'Search', 'Salt', 'unclosed-bracket'],
      ['Action: Search[Salt\nObservation: white', 'Search', 'Salt', 'unclosed-bracket', 'several-steps'],
      ['Action: Search[f(x]', 'Search', 'f(x'],
      ['Action: Lookup[born in "1990]', 'Lookup', 'born in "1990'],
      ['Action: Finish[{"a": [1]}]', 'Finish', '{"a": [1]}'],
    ]);
  });

  it('reads an answer under any of its labels', () => {
    reads([
      ['Final Answer: Rome', 'Finish', 'Rome'],
      ['**Final Answer:** Rome', 'Finish', 'Rome'],
      ['Final Answer: **Rome**', 'Finish', 'Rome'],
      ['Final Answer: **Rome** or **Milan**', 'Finish', '**Rome** or **Milan**'],
      ['Final Answer\nRome', 'Finish', 'Rome'],
      ['Finish: Rome', 'Finish', 'Rome'],
      ['Thought: a\nAnswer: Rome', 'Finish', 'Rome'],
      ['<final_answer>Rome</final_answer>', 'Finish', 'Rome'],
      ['Action: Finish: Rome', 'Finish', 'Rome', 'loose-argument'],
      ['Action: Finish\nIt is Rome.', 'Finish', 'It is Rome.', 'loose-argument'],
      ['Action: Finish\nFinal Answer: Rome', 'Finish', 'Rome'],
      ['Action: Finish[]\nFinal Answer: Rome', 'Finish', 'Rome'],
      ['Action: Final Answer[Rome]', 'Finish', 'Rome'],
      ['Action: None (I know it)\nFinal Answer: Rome', 'Finish', 'Rome'],
      ['Final Answer: Three:\n- a\n\n- b', 'Finish', 'Three:\n- a\n\n- b'],
      ['Final Answer: By genre:\nAction: Die Hard\nDrama: Heat', 'Finish', 'By genre:\nAction: Die Hard\nDrama: Heat'],
    ]);
  });

  it('ends the reply at an end token that the server let through', () => {
    reads([
      ['Action: Search[Salt]<|eot_id|><|start_header_id|>', 'Search', 'Salt'],
      ['Final Answer: Rome<|im_end|>\n<|im_start|>user\nAction: Search[x]', 'Finish', 'Rome', 'several-steps'],
      ['Final Answer: Rome</s>', 'Finish', 'Rome'],
      ['Action: Finish[Rome<end_of_turn>', 'Finish', 'Rome', 'unclosed-bracket'],
    ]);
  });
});

describe('reading replies: where the action stands', () => {
  it('finds it without a label, in a fence, on the line of the thought', () => {
    reads([
      ['I need the page.\nSearch[Salt]', 'Search', 'Salt', 'missing-label'],
      ['Search("Salt")', 'Search', 'Salt', 'missing-label', 'function-call'],
      ['Finish[white]', 'Finish', 'white', 'missing-label'],
      ['Thought: Search[Salt]', 'Search', 'Salt', 'missing-label'],
      ['Search[Salt] to see its colour', 'Search', 'Salt', 'missing-label', 'trailing-text'],
      ['```\nThought: a\nAction: Search[Salt]\n```', 'Search', 'Salt', 'code-fence'],
      ['Thought: a\n```\nAction: Search[Salt]\n```', 'Search', 'Salt'],
      ['Let me think.\n\nNow a tool.\nAction: Search[Salt]', 'Search', 'Salt'],
      ['Thought 1: What is it? Action 1: Search[Salt]', 'Search', 'Salt', 'same-line'],
      ['Thought: I know it now. Final Answer: white', 'Finish', 'white', 'same-line'],
      ['Observation: stale\nThought: a\nAction: Search[Salt]', 'Search', 'Salt', 'leading-observation'],
      ['Question: What is salt?\nThought: a\nAction: Search[Salt]', 'Search', 'Salt'],
    ]);
  });

  it('never runs what stands in reasoning, in a sentence, in quotes or in an example', () => {
    const rejected = parse(
      '<think>\nAction: Search[Pepper]\nNo, salt.\n</think>\nThought: Salt.\nAction: Search[Salt]',
    );
    assert.deepEqual(rejected.action, { tool: 'Search', input: 'Salt' });
    assert.equal(rejected.reasoning, 'Action: Search[Pepper]\nNo, salt.');
    assert.equal(rejected.thought, 'Salt.');
    reads([
      ['the list [1] and [2]</think>\n\nAction: Finish[2]', 'Finish', '2'],
      ['Action: Search[Pepper]\nno</think>\nAction: Search[Salt]', 'Search', 'Salt'],
      ['Thought: a\n<thinking>Action: Search[Pepper]</thinking>\nAction: Search[Salt]', 'Search', 'Salt'],
      [
        '<|channel|>analysis<|message|>Search[Pepper]?<|end|><|start|>assistant<|channel|>final<|message|>Action: Search[Salt]',
        'Search',
        'Salt',
      ],
      ['Thought: an action is, for example:\n```\nAction: Search[Pepper]\n```\nAction: Search[Salt]', 'Search', 'Salt'],
      ['Thought: I could write Action: Search[Pepper] but no.\nAction: Search[Salt]', 'Search', 'Salt'],
      ['Action: Finish[Close the <think> tag with </think>]', 'Finish', 'Close the <think> tag with </think>'],
      ['Thought: the `</think>` tag\nAction: Search[Salt]', 'Search', 'Salt'],
      ['[THINK]Action: Search[Pepper]\nno[/THINK]Action: Search[Salt]', 'Search', 'Salt'],
      ['Action: Search[Pepper]\nno[/THINK]Action: Search[Salt]', 'Search', 'Salt'],
      ['<Think>Action: Search[Pepper]</Think>Action: Search[Salt]', 'Search', 'Salt'],
      ['<thought>\nAction: Search[Pepper]\n</thought>\nAction: Search[Salt]', 'Search', 'Salt'],
      ['Thought: the list [Think] has it\nAction: Search[[Think]]', 'Search', 'Think'],
    ]);
    lacksAction('<think>unclosed\nAction: Search[Pepper]', 'empty');
    lacksAction('Thought: for example Action: Search[Pepper] would do.', 'no-action');
    lacksAction('Thought: For instance:\nAction: Search[Pepper]', 'no-action');
    lacksAction('Perhaps I should wait() or Search[Pepper] later.', 'no-action');
    lacksAction('Search[Pepper] would be natural here.', 'no-action');
    lacksAction('{"name": "Ada", "age": 36}', 'no-action');
  });

  it('reads a plan with its ticks', () => {
    const parsed = parse(
      'Plan:\n1. [x] Find the bridge\n2. ~~Find the year~~\n3. Compare\nThought: Compare them.\nAction: Finish[yes]',
    );
    assert.deepEqual(parsed.plan, [
      { text: 'Find the bridge', done: true },
      { text: 'Find the year', done: true },
      { text: 'Compare', done: false },
    ]);
    assert.equal(parsed.thought, 'Compare them.');
    assert.deepEqual(parse('计划：\n- [ ] 查长城\n- ✅ 查长度\n思考：好\n行动：搜索[长城]').plan, [
      { text: '查长城', done: false },
      { text: '查长度', done: true },
    ]);
  });
});

describe('reading replies: no usable action', () => {
  it('tells what is missing', () => {
    lacksAction('', 'empty');
    lacksAction(' \n ', 'empty');
    lacksAction('Thought:', 'empty');
    lacksAction('Action: Finish[]', 'empty-finish');
    lacksAction('Action: Finish', 'empty-finish');
    lacksAction("Action: Finish['']", 'empty-finish');
    lacksAction('Final Answer:', 'empty-finish');
    lacksAction('Thought: a\nAction: None\nAction Input: None', 'no-tool');
    lacksAction('行动：不需要工具', 'no-tool');
    for (const placeholder of ['answer', 'your answer', '<final answer>', '...', '答案', '最终答案', '你的答案']) {
      lacksAction(`Action: Finish[${placeholder}]`, 'placeholder');
    }
    lacksAction('Action: Search[<entity>]', 'placeholder');
  });

  it('knows a reply that was cut from one that is malformed', () => {
    lacksAction('Thought: To find the', 'truncated', 'length');
    lacksAction('Thought: a\nAction: Search[The hist', 'truncated', 'length');
    lacksAction('Thought: a\nAction: Search\nAction Input: The hist', 'truncated', 'length');
    lacksAction('{"action": "Search", "action_input": "The hist', 'truncated', 'length');
    lacksAction('', 'truncated', 'length');
    assert.equal(lacksAction('Final Answer: Rome, because', 'truncated', 'length').prose, 'Rome, because');
    assert.deepEqual(parse('Action: Search[Salt]', 'length').action, { tool: 'Search', input: 'Salt' });
  });

  it('offers what the model said as an answer only where it reads as one', () => {
    assert.equal(
      lacksAction('Rome has been the capital since 1871.', 'no-action').prose,
      'Rome has been the capital since 1871.',
    );
    assert.equal(lacksAction('Thought: \\boxed{C}', 'no-action').prose, 'C');
    const intentions = [
      'I need to search for Rome.',
      "Let's look up Rome first.",
      'Thought: I should find the capital.',
      '我需要先搜索罗马。',
      '{"a": 1}',
    ];
    for (const text of intentions) assert.equal(lacksAction(text, 'no-action').prose, undefined, text);
  });

  it('recognises a refusal, but only where no action was asked for', () => {
    for (const text of [
      "I'm sorry, but I can't help with that.",
      'I cannot provide this information.',
      '抱歉，我无法回答这个问题。',
    ]) {
      const parsed = lacksAction(text, 'no-action');
      assert.equal(parsed.refusal, true, text);
      assert.equal(parsed.prose, text);
    }
    assert.equal(parse("Thought: I'm sorry, but I can't help it.\nAction: Search[Salt]").refusal, undefined);
    assert.equal(lacksAction('The bird cannot fly.', 'no-action').refusal, undefined);
  });
});
