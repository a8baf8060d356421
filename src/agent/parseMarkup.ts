import { type Call, readAction, resolveName } from './parseForms';
import { flattenArguments } from './parseInput';
import { FINISH, type Names } from './parseNames';
import { actionOfObject } from './parseObject';
import { readTolerantJson } from './tolerantJson';

/** Text between two tags from `from` on; a missing closing tag ends at the next tag or the end. */
function between(text: string, from: number, close: string): string {
  const end = text.indexOf(close, from);
  return text.slice(from, end < 0 ? undefined : end).trim();
}

const MAX_PARAMETERS = 16;

/** Reads a native tool call that leaked into the text, in the notations of DeepSeek, Qwen, Hermes, GLM, Llama, Mistral and Kimi. */
export function readMarkup(written: string, names: Names): Call | undefined {
  const text = written.replace(/[|｜]DSML[|｜]|antml:/g, '').replace(/<\/?parameters>/g, '');
  const named = /<(?:invoke|function|tool_use|tool)\s*(?:name)?\s*=\s*["']?([^"'>]{1,80})["']?\s*>/.exec(text);
  if (named) {
    const call = callOf(named[1] as string, argumentsAfter(text, named.index + named[0].length), names);
    if (call) return call;
  }
  const keyed = /^\s*(?:<[^>]*>\s*)*([^\s<>{[]{1,80})\s*<arg_key>/.exec(text);
  if (keyed) return callOf(keyed[1] as string, keyValues(text), names);
  const brace = text.search(/\{/);
  if (brace >= 0) {
    const json = readTolerantJson(text, brace);
    const call = json && actionOfObject(json.value, names);
    if (call) return { ...call, repairs: ['markup'] };
    const recipient = /\bto=([\w.-]{1,80})/.exec(text.slice(0, 200));
    if (recipient && json) return callOf(recipient[1] as string, json.value, names);
    const before = text.slice(Math.max(0, brace - 200), brace).replace(/```[a-z]*|<[^>]*>|\[[A-Z_]+\]/g, ' ');
    const name =
      before
        .replace(/:\d+\s*$/, '')
        .trim()
        .split(/\s+/)
        .pop() ?? '';
    if (json && name) return callOf(name, json.value, names);
  }
  const plain = text
    .slice(0, 4000)
    .replace(/<[^>]*>|\[\/?[A-Z_]+\]|```[a-z_]*/g, ' ')
    .replace(/\.call\(/, '(')
    .trim();
  const call = readAction(plain, undefined, names);
  return typeof call === 'object' && names.isKnown(call.tool) ? { ...call, repairs: ['markup'] } : undefined;
}

function callOf(written: string, value: unknown, names: Names): Call | undefined {
  const name = written.trim().replace(/^functions?\./, '');
  const tool = resolveName(name, names, true) ?? name;
  if (!/^[\p{L}_][\p{L}\p{N}_.\- ]*$/u.test(tool)) return undefined;
  const thought = typeof value === 'object' && value !== null ? (value as Record<string, unknown>).thought : undefined;
  const input = flattenArguments(value).trim();
  return {
    tool: names.isFinish(tool) ? FINISH : tool,
    input,
    ...(typeof thought === 'string' && { thought }),
    repairs: ['markup'],
  };
}

function argumentsAfter(text: string, start: number): unknown {
  const found = new Map<string, string>();
  let at = start;
  for (let count = 0; count < MAX_PARAMETERS; count++) {
    const from = text.indexOf('<parameter', at);
    const end = from < 0 ? -1 : text.indexOf('>', from);
    if (end < 0) break;
    const key = /(?:name\s*)?=\s*["']?([^"'\s>]+)/.exec(text.slice(from, Math.min(end, from + 200)))?.[1] ?? 'input';
    found.set(key, between(text, end + 1, '</parameter>'));
    at = end + 1;
  }
  if (found.size > 0) return Object.fromEntries(found);
  const body = between(text, start, '</').trim();
  return body.startsWith('{') ? (readTolerantJson(body)?.value ?? body) : body;
}

function keyValues(text: string): Record<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  for (let count = 0; count < MAX_PARAMETERS; count++) {
    const key = text.indexOf('<arg_key>', at);
    const value = key < 0 ? -1 : text.indexOf('<arg_value>', key);
    if (value < 0) break;
    found.set(between(text, key + 9, '</arg_key>'), between(text, value + 11, '</arg_value>'));
    at = value + 11;
  }
  return Object.fromEntries(found);
}
