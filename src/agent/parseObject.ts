import { type Call, readNamed, resolveName, UNKNOWN_NAME } from './parseForms';
import { flattenArguments } from './parseInput';
import { FINISH, foldName, type Names } from './parseNames';
import { readTolerantJson } from './tolerantJson';

/** Reads an object that stands without a label: an action only where it names a known tool, or calls itself one. */
export function readBareObject(text: string, names: Names): Call | undefined {
  const json = readTolerantJson(text);
  const call = json && actionOfObject(json.value, names);
  const meant =
    call && (names.isKnown(call.tool) || /["'](action|tool|tool_name|function)["']\s*:/.test(text.slice(0, 2000)));
  return meant ? call : undefined;
}

/** @param keys folded */
function pick(object: Record<string, unknown>, keys: readonly string[]): unknown {
  for (const wanted of keys) {
    for (const [key, value] of Object.entries(object)) if (foldName(key) === wanted && value !== null) return value;
  }
  return undefined;
}

const NAME_KEYS = [
  'action',
  'tool',
  'toolname',
  'actionname',
  'function',
  'functionname',
  'name',
  'command',
  '行动',
  '动作',
  '工具',
];
const INPUT_KEYS = [
  'actioninput',
  'toolinput',
  'arguments',
  'args',
  'parameters',
  'params',
  'input',
  'argument',
  '输入',
  '参数',
];
const LIST_KEYS = ['toolcalls', 'actions', 'calls', 'toolcall', 'functioncall'];
const THOUGHT_KEYS = ['thought', 'thoughts', 'thinking', 'reasoning', 'reason', '思考', '想法'];
const ANSWER_KEYS = ['finalanswer', 'answer', '最终答案', '答案'];

/** Reads an object or a list of them as an action: the first that names a tool counts. */
export function actionOfObject(value: unknown, names: Names): Call | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const call = actionOfObject(item, names);
      if (call) return { ...call, repairs: call.repairs };
    }
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const object = value as Record<string, unknown>;
  const thought = pick(object, THOUGHT_KEYS);
  const call = namedCall(object, names);
  return call && typeof thought === 'string' ? { ...call, thought } : call;
}

function namedCall(object: Record<string, unknown>, names: Names): Call | undefined {
  const list = pick(object, LIST_KEYS);
  if (typeof list === 'object') return actionOfObject(list, names);
  const name = pick(object, NAME_KEYS);
  if (typeof name === 'object' && name !== null) return actionOfObject(name, names);
  if (typeof name === 'string') {
    let argument = pick(object, INPUT_KEYS);
    const tool = resolveName(name, names, true);
    if (argument === undefined) {
      const rest = Object.entries(object).filter(([key]) => {
        const folded = foldName(key);
        return !NAME_KEYS.includes(folded) && !THOUGHT_KEYS.includes(folded) && folded !== 'type' && folded !== 'id';
      });
      if (rest.length > 0 && rest.some(([key]) => key in object)) argument = Object.fromEntries(rest);
    }
    if (tool === undefined && argument === undefined) {
      const call = readNamed(name, undefined, names);
      return typeof call === 'object' ? call : undefined;
    }
    if (tool === undefined && names.isNone(name)) return answerCall(object);
    const known = tool ?? (UNKNOWN_NAME.test(name) ? name : undefined);
    if (known === undefined) return undefined;
    const isFinish = names.isFinish(known);
    if (typeof argument === 'string' && /^\s*\{/.test(argument))
      argument = readTolerantJson(argument)?.value ?? argument;
    return { tool: isFinish ? FINISH : known, input: flattenArguments(argument).trim(), repairs: [] };
  }
  const entries = Object.entries(object).filter(([key]) => !THOUGHT_KEYS.includes(foldName(key)));
  const [only] = entries;
  if (entries.length === 1 && only && (names.isTool(only[0]) || foldName(only[0]) === 'finish')) {
    return { tool: names.isFinish(only[0]) ? FINISH : only[0], input: flattenArguments(only[1]).trim(), repairs: [] };
  }
  return answerCall(object);
}

function answerCall(object: Record<string, unknown>): Call | undefined {
  const answer = pick(object, ANSWER_KEYS);
  if (typeof answer !== 'string' && typeof answer !== 'number') return undefined;
  return { tool: FINISH, input: String(answer).trim(), repairs: [] };
}
