import { Balance, OPENERS } from './parseBalance';
import { callInput, cleanInput, unfence, unquote } from './parseInput';
import { FINISH, foldName, type Names } from './parseNames';
import { actionOfObject } from './parseObject';
import { readTolerantJson } from './tolerantJson';

export type FormRepair =
  | 'code-fence'
  | 'json'
  | 'function-call'
  | 'unclosed-bracket'
  | 'trailing-text'
  | 'loose-argument'
  | 'markup';

export interface Call {
  tool: string;
  input: string;
  thought?: string;
  repairs: FormRepair[];
}

/** A plain word or up to three, as a tool that we don't know may be called. */
export const UNKNOWN_NAME = /^[\p{L}_][\p{L}\p{N}_.-]*(?: [\p{L}\p{N}_.-]+){0,2}$/u;
const OPENING = /^[\s>*_`"'“‘#•-]*[[<【「]?\s*([\p{L}\p{N}_][\p{L}\p{N}_.\- ]{0,80}?)[\]>】」]?([*_`"'”’]*\s*)$/u;

/**
 * Reads what stands before a bracket as a tool's name.
 * @param bare no label stands before it: only a known name counts
 */
export function opensCall(lead: string, opener: string, names: Names, bare: boolean): string | undefined {
  const match = OPENING.exec(lead);
  if (!match) return undefined;
  const written = (match[1] as string).trim();
  const spaced = /\s$/.test(lead);
  const known = resolveName(written, names, bare) ?? (bare ? undefined : beginning(written, opener, names));
  if (bare && (known === undefined || !names.isBare(known) || !'[【［(（'.includes(opener))) return undefined;
  if (known !== undefined) return opener === '<' && spaced ? undefined : known;
  if (spaced || opener === '<' || names.leading(written) || !UNKNOWN_NAME.test(written) || names.isNone(written))
    return undefined;
  return written;
}

/** `Search Wikipedia[Kyoto]`: a known name with a word or two more. */
function beginning(written: string, opener: string, names: Names): string | undefined {
  const name = names.leading(written);
  return name && '[【［'.includes(opener) && /^( \p{L}+){1,2}$/u.test(written.slice(name.length)) ? name : undefined;
}

/** The known name in `functions.Search`, `Search tool`, `I will use Search`. */
export function resolveName(written: string, names: Names, whole: boolean): string | undefined {
  if (names.isKnown(written)) return written;
  const afterDot = written.slice(written.lastIndexOf('.') + 1);
  if (afterDot && names.isKnown(afterDot)) return afterDot;
  const withoutTool = written.replace(/[\s_]*(tool|action|function)$/i, '');
  if (withoutTool && names.isKnown(withoutTool)) return withoutTool;
  if (whole) return undefined;
  const words = written.replace(/^\p{Script=Han}+(?=[A-Za-z])/u, '').split(/\s+/);
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const last = words.slice(-count).join(' ');
    if (names.isTool(last) || foldName(last) === 'finish') return last;
  }
  return undefined;
}

/** `(x)` after a space may be a description of the tool, so it closes nothing before the next line is known. */
export const closesAtOnce = (lead: string, opener: string) =>
  !(/\s$/.test(lead) && (opener === '(' || opener === '（'));

interface Bracketed {
  argument: string;
  rest: string;
  closed: boolean;
}

/** Reads the argument after an opening bracket. `text` begins after it. */
function readBracketed(text: string, opener: string): Bracketed {
  const balance = new Balance(opener);
  for (let at = 0; at < text.length; at++) {
    if (!balance.feed(text[at] as string)) continue;
    const end = balance.candidate || at + 1;
    return { argument: text.slice(0, end - 1), rest: text.slice(end), closed: true };
  }
  if (balance.candidate) {
    return { argument: text.slice(0, balance.candidate - 1), rest: text.slice(balance.candidate), closed: true };
  }
  return { argument: text, rest: '', closed: false };
}

/**
 * Reads the text after an action label (and, where there is one, after an input label).
 * @returns 'none' where the model says that it wants no tool; undefined where no tool is named
 */
export function readAction(written: string, input: string | undefined, names: Names): Call | 'none' | undefined {
  const { text, fenced } = stripLead(written);
  const repairs: FormRepair[] = fenced ? ['code-fence'] : [];
  if (/^\[?\s*\{/.test(text)) {
    const json = readTolerantJson(text);
    const call = json && actionOfObject(json.value, names);
    return call && { ...call, repairs: [...repairs, 'json', ...call.repairs] };
  }
  const call = readNamed(text, input, names);
  if (typeof call === 'object') return { ...call, repairs: [...new Set([...repairs, ...call.repairs])] };
  return call;
}

/** Removes what may stand before an action: emphasis, quotes, list marks, an opening fence. */
function stripLead(written: string): { text: string; fenced: boolean } {
  const fence = /^\s*[`~]{3,}[a-z_]*[ \t]*\n/i.exec(written);
  const text = written.slice(fence?.[0].length ?? 0).replace(/^[\s>*_`"'“‘#•]+|^\s*-\s+/, '');
  return { text: text.trimEnd(), fenced: fence !== null };
}

export function readNamed(text: string, input: string | undefined, names: Names): Call | 'none' | undefined {
  let openers = 0;
  for (let at = 0; at < text.length && at < 160 && openers < 8; at++) {
    const opener = text[at] as string;
    if (!OPENERS.has(opener) || text[at + 1] === '/') continue;
    openers += 1;
    const lead = text.slice(0, at);
    const tool = opensCall(lead, opener, names, false);
    if (tool === undefined) continue;
    if (input !== undefined && (!closesAtOnce(lead, opener) || names.isKnown(tool))) {
      return withInput(tool, input, names, []);
    }
    return readBrackets(tool, opener, text.slice(at + 1), names);
  }
  const line = (/^[^\n]*/.exec(text)?.[0] ?? '').trim();
  if (names.isNone(line)) return 'none';
  return readUnbracketed(text, line, input, names);
}

function readBrackets(tool: string, opener: string, text: string, names: Names): Call {
  const isFinish = names.isFinish(tool);
  const { argument, rest, closed } = readBracketed(text, opener);
  const isCall = opener === '(' || opener === '（';
  let written = closed ? argument : unclosedArgument(argument, isFinish);
  if (closed && isFinish) written = extendFinish(argument, rest) ?? argument;
  const { input, repairedJson } = isCall ? callInput(written, isFinish) : cleanInput(written, isFinish);
  const repairs: FormRepair[] = [];
  if (isCall) repairs.push('function-call');
  if (repairedJson) repairs.push('json');
  if (!closed) repairs.push('unclosed-bracket');
  return { tool: isFinish ? FINISH : tool, input, repairs };
}

/** An answer with a stray bracket in it: the line goes on after the balanced one and ends in another. */
export function extendFinish(argument: string, rest: string): string | undefined {
  const line = /^[^\n]*/.exec(rest)?.[0] ?? '';
  const end = Math.max(line.lastIndexOf(']'), line.lastIndexOf('】'));
  if (end < 0 || /[[【［]/.test(line) || /[^\s.*`"'”。]/.test(line.slice(end + 1))) return undefined;
  return `${argument}]${line.slice(0, end)}`;
}

/** Without its closing bracket a tool's argument ends with its line; an answer goes on to the end. */
function unclosedArgument(argument: string, isFinish: boolean): string {
  const text = argument.trim();
  if (!isFinish)
    return (/^[^\n]*/.exec(text)?.[0] ?? '').replace(/[\s*`"”]+$/, (tail) => (/["”]/.test(tail) ? tail : ''));
  // "[0, 1) … ]": the last bracket is the answer's own end.
  const strayOpening = /\[[^[\]()]*\)/.test(text) && text.endsWith(']');
  return (strayOpening ? text.slice(0, -1) : text).replace(/\s*`{3}$/, '');
}

/** What models add after an input while they wait for the result. */
const WAITING =
  /\n\s*\n\(?(i('ll| will| am going to)? (now )?(wait|await|stop)|waiting for|please (wait|provide)|等待)[^\n]*$/i;

/** Removes emphasis that opens or closes on the other side of a label. */
export function stripEmphasis(text: string): string {
  let stripped = text.replace(/^(\*\*|__)(?=\s|$)/, '').trim();
  const marks = stripped.split('**').length - 1;
  if (marks % 2 === 1) stripped = stripped.replace(/\*\*$/, '').trimEnd();
  else if (marks === 2 && stripped.startsWith('**') && stripped.endsWith('**')) stripped = stripped.slice(2, -2).trim();
  return stripped;
}

function withInput(tool: string, input: string, names: Names, repairs: FormRepair[]): Call {
  const isFinish = names.isFinish(tool);
  const text = stripEmphasis(stripTail(input.trim()).replace(WAITING, ''));
  const { text: inner } = stripLead(text);
  // Action Input: Search[Kyoto]
  const nested = names.leading(inner);
  if (nested && foldName(nested) === foldName(tool) && /^\s*[[【(（]/.test(inner.slice(nested.length))) {
    const call = readNamed(inner, undefined, names);
    if (typeof call === 'object') return call;
  }
  const clean = cleanInput(text, isFinish);
  const nothing = !isFinish && /^(none|null|n\/a|无)$/i.test(clean.input);
  if (clean.repairedJson) repairs.push('json');
  return { tool: isFinish ? FINISH : tool, input: nothing ? '' : clean.input, repairs };
}

/** Removes a closing fence or tag left after an input or an answer. */
export function stripTail(text: string): string {
  let stripped = text.trimEnd();
  const tag = /<\/(action|action_input|tool|tool_input|answer|final_answer|thought|input|tool_call|s)>$/i.exec(
    stripped,
  );
  if (tag) stripped = stripped.slice(0, tag.index).trimEnd();
  const fences = stripped.endsWith('```') ? stripped.slice(0, -3) : undefined;
  if (fences !== undefined && !fences.includes('```')) stripped = fences.trimEnd();
  return stripped;
}

const FILLERS = /^(?:(?:(?:the )?(?:web|internet|wikipedia|wiki) )?(?:for|about)|to (?:find|search for|look up))\s+/i;
const LEAD_IN = /^(?:(?:i will|i'll|let me|we will) )?(?:use|call|invoke|run|try|perform|使用|调用)\s*(?:the |a )?/i;
const INPUT_LABEL = /^[,，;；]?\s*(?:action |tool )?input\s*[:：]\s*/i;

/** Removes emphasis at the end, and a closing quote whose opening one was stripped as a mark before the action. */
function stripOuter(text: string): string {
  const plain = text.replace(/[*_`]+$/, '');
  const quote = plain.at(-1) ?? '';
  const opening = quote === '”' ? '“' : quote === '’' ? '‘' : quote;
  const stray = /["'”’]/.test(quote) && !plain.slice(0, -1).includes(opening);
  return stray ? plain.slice(0, -1) : plain;
}

function readUnbracketed(text: string, line: string, input: string | undefined, names: Names): Call | undefined {
  const written = stripOuter(stripTail(line.replace(/^[[<【「]\s*/, '')));
  // "Use the Search tool: …", but a tool may itself be called "run".
  const led = written.replace(LEAD_IN, '');
  const plain = names.leading(led) === undefined ? written : led;
  const name = names.leading(plain);
  if (name === undefined) {
    const tool = plain
      .replace(/\s*[(（].*$/, '')
      .replace(/[\]>】」.:：*`]+$/, '')
      .trim();
    const resolved = resolveName(tool, names, true) ?? (UNKNOWN_NAME.test(tool) ? tool : undefined);
    if (resolved === undefined) return undefined;
    // A sentence of a few words is no tool's name; with an input label it was meant as one.
    if (input === undefined && tool.includes(' ') && /[.!?。！？]$/.test(line)) return undefined;
    return withInput(resolved, input ?? '', names, []);
  }
  if (input !== undefined) return withInput(name, input, names, []);
  const after = plain
    .slice(name.length)
    .replace(/^[\]>】」*_`"'”’]+/, '')
    .replace(/^\s*tool\b/i, '');
  const isFinish = names.isFinish(name);
  const separated = /^\s*(?:[:：=→,|]|->|=>|[-–—](?=\s))\s*/.exec(after);
  const multiline = text.slice(line.length).trim();
  let argument = after.slice(separated?.[0].length ?? 0).trim();
  if (isFinish && multiline) argument = `${argument}\n${multiline}`.trim();
  if (argument === '' && multiline) argument = nextLine(multiline);
  argument = argument.replace(INPUT_LABEL, '');
  if (!separated && !isFinish) argument = argument.replace(FILLERS, '');
  if (/^[(（].*[)）][.。]?$/.test(argument) || /^[[【].*[\]】]\.?$/.test(argument)) {
    return readBrackets(name, argument[0] as string, argument.slice(1), names);
  }
  const call = withInput(name, argument, names, argument === '' ? [] : ['loose-argument']);
  return call;
}

/** The argument on the line after the tool's name, where it is short enough to be one. */
function nextLine(text: string): string {
  const line = unquote(unfence(text).split('\n', 1)[0]?.trim() ?? '');
  return line.length <= 120 && !/[.!?。！？]$/.test(line) && !text.includes('\n') ? line : '';
}
