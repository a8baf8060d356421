import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A call that translates: VS Code's `l10n.t`, the view's `words.t`, a `t` handed on, and `plural`, which takes two texts. */
const CALL = /(?<![\w$])(?:t|plural)\(/g;
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/y;

/** A text that is shown in the display language, and where it stands. */
export interface Key {
  text: string;
  file: string;
}

/**
 * Every English text that the sources under `folders` hand to a translating call, by reading the string literals of its first
 * argument (of all arguments for `plural`). A template literal with values in it can't be looked up and is an error.
 */
export function keysIn(folders: readonly string[]): Key[] {
  return folders.flatMap(sourceFiles).flatMap((file) => keysOf(readFileSync(file, 'utf8'), file));
}

function sourceFiles(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  const names = readdirSync(path, { recursive: true }) as string[];
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(path, name));
}

export function keysOf(source: string, file: string): Key[] {
  const keys: Key[] = [];
  for (const call of source.matchAll(CALL)) {
    const texts = literalsAt(source, call.index + call[0].length, call[0].startsWith('plural'), file);
    for (const text of texts) keys.push({ text, file });
  }
  return keys;
}

/** The literals of a call's first argument, or of all of them; what is nested deeper belongs to other calls. */
function literalsAt(source: string, from: number, all: boolean, file: string): string[] {
  const texts: string[] = [];
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const character = source[at] as string;
    LITERAL.lastIndex = at;
    const literal = LITERAL.exec(source);
    if (literal) {
      const text = literal[1] ?? literal[2] ?? literal[3] ?? '';
      if (depth === 0) {
        if (literal[3]?.includes('${'))
          throw new Error(`${file}: “${text}” has values inside, so it has no translation`);
        // a literal that is compared with is no text of ours
        if (!/[=!]==?\s*$/.test(source.slice(from, at))) texts.push(meant(text));
      }
      at += literal[0].length - 1;
    } else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) {
      if (depth-- === 0) break;
    } else if (character === ',' && depth === 0 && !all) break;
  }
  return texts;
}

/** What the escapes in a literal mean. */
function meant(text: string): string {
  return text.replace(/\\(u\{[\da-f]+\}|u[\da-f]{4}|.)/gi, (_whole, sequence: string) => {
    if (/^u/i.test(sequence) && sequence.length > 1)
      return String.fromCodePoint(Number.parseInt(sequence.replace(/[u{}]/gi, ''), 16));
    return { n: '\n', t: '\t' }[sequence] ?? sequence;
  });
}
