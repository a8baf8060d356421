import { homedir } from 'node:os';
import { createContext, Script } from 'node:vm';
import { UserError } from '../agent/errors';

/** A pattern of the user's that can't be used; `detail` is what the engine says of an unreadable one. */
export class PatternError extends UserError {
  constructor(
    readonly pattern: string,
    readonly why: 'unreadable' | 'slow',
    readonly detail = '',
  ) {
    super(
      why === 'slow'
        ? `The pattern “${pattern}” takes too long on this trace.`
        : `The pattern “${pattern}” can’t be read: ${detail}`,
      'Correct it in the setting reactAgent.export.redactPatterns.',
      'open-settings',
    );
  }
}

/** What stands in place of something that was taken out. */
export const MASK = '[…]';

export interface RedactOptions {
  /** Regular expressions of the user's own, as they are written in the settings. */
  patterns?: readonly string[];
  /** Default: the home folder of whoever runs this. */
  home?: string;
}

/** Where a piece of a text was replaced: offsets in the text before, and the length after. */
interface Edit {
  start: number;
  end: number;
  length: number;
}

interface Rule {
  pattern: RegExp;
  /** What stays of a match; default: the mask alone. */
  keep?: (match: string, groups: string[]) => string;
}

const LABELLED =
  /((?:api[-_ ]?key|x-api-key|access[-_ ]?key|(?:access|auth|refresh|id|session|private|personal)[-_ ]?token|client[-_ ]?secret|secret[-_ ]?(?:access[-_ ]?)?key|subscription[-_ ]?key|password|passwd|pwd)(?:\\?["'])?\s*[:=]\s*(?:\\?["'])?)(?!\[…\])([^\s"'\\,;&)}\]<>]{4,})/giu;

/**
 * What is taken out of every export: keys, tokens, authorization headers, credentials in addresses, home folders. What may
 * repeat before a decision is bounded: a hostile page must not keep the editor waiting.
 */
const RULES: readonly Rule[] = [
  { pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g },
  {
    pattern:
      /((?:proxy-)?authorization(?:\\?["'])?\s*[:=]\s*(?:\\?["'])?)(?:(Bearer|Basic|Token|Digest|Negotiate)\s+)?[^\s"'\\,;<>]+/gi,
    keep: (_, [label = '', scheme]) => `${label}${scheme ? `${scheme} ` : ''}${MASK}`,
  },
  {
    pattern: /((?:set-)?cookie(?:\\?["'])?\s*:\s*(?:\\?["'])?)[^\r\n"'\\]+/gi,
    keep: (_, [label = '']) => `${label}${MASK}`,
  },
  { pattern: /\b(Bearer|Basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{12,}/g, keep: (_, [scheme = '']) => `${scheme} ${MASK}` },
  // Keys that say by their beginning whose they are.
  {
    pattern:
      /\b(?:sk|pk|rk|gsk|hf|xai|nvapi|r8|pplx|lin_api|dop_v1|ghp|gho|ghu|ghs|ghr|github_pat|glpat|npm|pypi|xox[abeoprs]|whsec)[-_](?=[\w-]{0,200}\d)[\w-]{12,}/g,
  },
  { pattern: /\bAIza[\w-]{30,}/g },
  { pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  // JSON Web Tokens
  { pattern: /\beyJ[\w-]{8,600}\.[\w-]{4,}(?:\.[\w-]*)?/g },
  { pattern: LABELLED, keep: (_, [label = '']) => `${label}${MASK}` },
  // In an address: the name and password before the host, and telling parameters.
  {
    pattern: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:"'<>]{1,200}:[^\s/@"'<>]{1,200}@/gi,
    keep: (_, [scheme = '']) => `${scheme}${MASK}@`,
  },
  {
    pattern:
      /([?&#](?:key|token|sig|signature|auth|code|secret|x-amz-(?:signature|security-token|credential))=)[^\s&#"'<>]+/gi,
    keep: (_, [name = '']) => `${name}${MASK}`,
  },
  // A home folder tells a person's name; what lies in it may stay.
  {
    pattern:
      /(^|[^\w.~-])(?:\/home\/|\/Users\/|\/var\/home\/|[A-Za-z]:(?:\\\\|\\|\/)(?:Users|Documents and Settings)(?:\\\\|\\|\/))(?:[^/\\"<>|:*?\r\n]{1,64}(?=[\\/])|[^\s/\\"'<>|:*?]+)/g,
    keep: (_, [before = '']) => `${before}~`,
  },
];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** This computer's own home folder, where it lies elsewhere than usual. */
function homeRule(home: string): Rule[] {
  if (home.length < 4 || home === '/root') return home === '/root' ? [rootRule] : [];
  const forms = [home, home.replaceAll('\\', '/'), home.replaceAll('\\', '\\\\')].map(escaped);
  return [{ pattern: new RegExp(`(?:${[...new Set(forms)].join('|')})(?![\\w-])`, 'g'), keep: () => '~' }];
}
const rootRule: Rule = { pattern: /(^|[^\w.~/-])\/root(?=[/\s"'),;]|$)/g, keep: (_, [before = '']) => `${before}~` };

/** Milliseconds for all texts of a trace together, for each of the user's patterns. */
const PATTERN_TIME = 2000;

/**
 * The same value, a trace or a list of events, with all its texts redacted; offsets into an observation's text stay right.
 * @throws PatternError when a pattern of the user's is no regular expression or takes too long: nothing unredacted gets out
 */
export function redact<T>(value: T, options: RedactOptions = {}): T {
  const texts = new Set<string>();
  collect(value, texts);
  const home = homeRule(options.home ?? homedir());
  const redacted = new Map<string, Redacted>();
  for (const text of texts) {
    let result: Redacted = { text, passes: [] };
    for (const rule of [...home, ...RULES]) result = applyRule(result, rule);
    redacted.set(text, result);
  }
  for (const pattern of options.patterns ?? []) applyUserPattern(pattern, redacted);
  return rebuild(value, redacted) as T;
}

interface Redacted {
  text: string;
  /** One list of edits, in order, for each pass that changed something. */
  passes: Edit[][];
}

function applyRule(before: Redacted, { pattern, keep }: Rule): Redacted {
  const edits: Edit[] = [];
  const text = before.text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const offsetAt = rest.findIndex((part) => typeof part === 'number');
    const start = rest[offsetAt] as number;
    const put = keep ? keep(match, rest.slice(0, offsetAt) as string[]) : MASK;
    edits.push({ start, end: start + match.length, length: put.length });
    return put;
  });
  return edits.length === 0 ? before : { text, passes: [...before.passes, edits] };
}

/** Runs in a context of its own only because that can be given a time limit. */
const MATCHER = new Script(`
  const expression = new RegExp(pattern, 'giu');
  for (const text of texts) {
    const found = [];
    for (const match of text.matchAll(expression)) if (match[0] !== '') found.push(match.index, match[0].length);
    results.push(found);
  }
`);

function applyUserPattern(pattern: string, redacted: Map<string, Redacted>): void {
  const keys = [...redacted.keys()];
  const results: number[][] = [];
  try {
    new RegExp(pattern, 'giu');
  } catch (error) {
    throw new PatternError(pattern, 'unreadable', (error as Error).message);
  }
  try {
    const texts = keys.map((key) => redacted.get(key)!.text);
    MATCHER.runInContext(createContext({ pattern, texts, results }), { timeout: PATTERN_TIME });
  } catch {
    throw new PatternError(pattern, 'slow');
  }
  for (const [index, key] of keys.entries()) {
    const found = results[index] ?? [];
    if (found.length === 0) continue;
    const before = redacted.get(key)!;
    const edits: Edit[] = [];
    let text = '';
    let at = 0;
    for (let pair = 0; pair < found.length; pair += 2) {
      const start = found[pair]!;
      const end = start + found[pair + 1]!;
      text += before.text.slice(at, start) + MASK;
      edits.push({ start, end, length: MASK.length });
      at = end;
    }
    redacted.set(key, { text: text + before.text.slice(at), passes: [...before.passes, edits] });
  }
}

/** Where an offset of the original text lies now; inside something taken out: at its beginning, or for an end behind it. */
function moved(offset: number, passes: readonly Edit[][], isEnd: boolean): number {
  let now = offset;
  for (const edits of passes) {
    let shift = 0;
    for (const { start, end, length } of edits) {
      if (end <= now) shift += length - (end - start);
      else if (start < now) {
        now = isEnd ? start + length : start;
        break;
      } else break;
    }
    now += shift;
  }
  return now;
}

/** Fields that are no text of anybody's. */
const KEPT = new Set(['type', 'time', 'run', 'hash', 'kind', 'status', 'outcome', 'startedAt', 'fetchedAt', 'role']);

function collect(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, texts);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value))
      if (!KEPT.has(name) || typeof field !== 'string') collect(field, texts);
  }
}

function rebuild(value: unknown, redacted: ReadonlyMap<string, Redacted>): unknown {
  if (typeof value === 'string') return redacted.get(value)?.text ?? value;
  if (Array.isArray(value)) return value.map((item) => rebuild(item, redacted));
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const put = KEPT.has(name) && typeof field === 'string' ? field : rebuild(field, redacted);
    // A field may be called __proto__.
    Object.defineProperty(made, name, { value: put, enumerable: true, writable: true, configurable: true });
  }
  const { text, sentences, hintAt } = value as Record<string, unknown>;
  const passes = typeof text === 'string' ? redacted.get(text)?.passes : undefined;
  if (passes?.length) {
    if (Array.isArray(sentences)) {
      made.sentences = sentences.map((span: { start: number; end: number }) => ({
        ...span,
        start: moved(span.start, passes, false),
        end: moved(span.end, passes, true),
      }));
    }
    if (typeof hintAt === 'number') made.hintAt = moved(hintAt, passes, false);
  }
  return made;
}
