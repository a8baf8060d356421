import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'mocha';
import { keysIn, keysOf } from '../support/l10nKeys';

const ROOT = resolve(__dirname, '../..');
const TRANSLATED = ['src/host', 'src/extension.ts', 'src/webview', 'src/exporters', 'src/traces'].map((path) =>
  join(ROOT, path),
);

const json = (path: string): Record<string, string> => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const holes = (text: string) => [...text.matchAll(/\{\d+\}/g)].map(([hole]) => hole).sort();
const HAN = /\p{Script=Han}/u;

/** What stays as it is in Chinese text: names, code, keys, file names, what developers say in English, and the words of the trace's notation. */
const NAMES =
  /`[^`]*`|https?:\/\/\S+|\]\([^)]*\)|llama\.cpp|\*\.[\w.]+|\$\([a-z-]+\)|ReAct Agent|ReAct|VS Code|GitHub Copilot|Copilot|OpenAI|OpenTelemetry|OTLP|spans?|token|JSON Lines|JSON|API|HTML|Markdown|MediaWiki|Wikipedia|ChatGPT|Ollama|LM Studio|README(?:\.md)?|docs\/[\w./-]+|curl|npm|DNS|TLS|URL|KB|MB|Thought|Action|Observation|name:password|Question|Finish|Search|Lookup|Fetch|Grep|Read|Diagnostics|Tab|(?:Ctrl|Cmd|Shift|Alt)\+\w+|Enter|Escape|Esc|@\w+|HTTP/g;

describe('Texts in the display language', () => {
  const bundle = json('l10n/bundle.l10n.zh-cn.json');
  const keys = keysIn(TRANSLATED);

  it('reads keys from calls as they are written in the source', () => {
    const source = `
      vscode.l10n.t('one'); words.t("it's"); words.t(\`two\`, name);
      words.t(busy ? 'three' : 'four', count('not this'));
      words.plural(n, '{0} step', '{0} steps'); this.t(kind === 'not' ? 'five' : 'six \\u{1F600}');`;
    const texts = keysOf(source, 'x.ts').map(({ text }) => text);
    assert.deepEqual(texts, ['one', "it's", 'two', 'three', 'four', '{0} step', '{0} steps', 'five', 'six 😀']);
    assert.throws(() => keysOf(`words.t(\`from \${place}\`)`, 'x.ts'), /values inside/);
  });

  it('have a translation for every text in the source', () => {
    assert.ok(keys.length > 150, `${keys.length} texts`);
    const missing = keys.filter(({ text }) => !Object.hasOwn(bundle, text));
    assert.deepEqual(missing, []);
  });

  it('have no translation left over from a text that is gone', () => {
    const used = new Set(keys.map(({ text }) => text));
    assert.deepEqual(
      Object.keys(bundle).filter((text) => !used.has(text)),
      [],
    );
  });

  it('have no second table that was never merged', () => {
    assert.deepEqual(readdirSync(join(ROOT, 'l10n')), ['bundle.l10n.zh-cn.json']);
  });

  it('keep every value that the English text shows', () => {
    for (const [english, chinese] of Object.entries(bundle)) {
      // both forms of a plural are one in Chinese, so the count may be added, never lost
      assert.deepEqual(holes(english), holes(chinese), `${english} → ${chinese}`);
    }
  });

  const manifest = json('package.nls.json');
  const manifestChinese = json('package.nls.zh-cn.json');

  it('of the manifest exist in both languages and are all used', () => {
    assert.deepEqual(Object.keys(manifest).sort(), Object.keys(manifestChinese).sort());
    const used = [...readFileSync(join(ROOT, 'package.json'), 'utf8').matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(manifest).sort());
  });

  it('of the manifest are never written into it', () => {
    const { contributes } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const literal: string[] = [];
    const walk = (value: unknown, key = '') => {
      if (Array.isArray(value)) for (const entry of value) walk(entry, key);
      else if (value && typeof value === 'object') for (const [name, entry] of Object.entries(value)) walk(entry, name);
      else if (typeof value === 'string' && SHOWN.test(key) && !/^%.*%$/.test(value)) literal.push(value);
    };
    walk(contributes);
    // the product's name is the same in every language, and so is what is typed after @ and /
    assert.deepEqual(
      literal.filter((text) => text !== 'ReAct Agent' && !/^[a-z]+$/.test(text)),
      [],
    );
  });

  for (const [name, table] of [
    ['the interface', bundle],
    ['the manifest', manifestChinese],
  ] as const) {
    it(`are Chinese throughout in ${name}, with Chinese punctuation`, () => {
      const odd: string[] = [];
      for (const [key, text] of Object.entries(table)) {
        const own = text.replace(NAMES, '¤').replace(/\{\d+\}/g, '¤');
        const sentence = HAN.test(own);
        // an English word of three letters or more is a text that was forgotten
        if (/[A-Za-z]{3,}/.test(own)) odd.push(`English words: ${key} → ${text}`);
        if (sentence && /[\p{Script=Han}”）][,;:!?]|[,;:!?]\p{Script=Han}|\p{Script=Han}\.(?!\w)/u.test(own))
          odd.push(`half-width punctuation: ${key} → ${text}`);
        const tight = text.replace(/`[^`]*`/g, '`');
        if (/\p{Script=Han}[A-Za-z0-9{`]|[A-Za-z0-9}`]\p{Script=Han}/u.test(tight))
          odd.push(`no space: ${key} → ${text}`);
      }
      assert.deepEqual(odd, []);
    });
  }
});

/** Properties of the manifest whose values people read. */
const SHOWN =
  /^(?:title|shortTitle|description|markdownDescription|displayName|name|fullName|label|contents|enumDescriptions|enumItemLabels|altText|category)$/;
