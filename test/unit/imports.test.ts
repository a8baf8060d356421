import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Who may import whom: the folder's own name is always allowed. `node:*` stands for Node's own modules. */
const ALLOWED: Record<string, readonly string[]> = {
  agent: [],
  'protocol.ts': ['agent'],
  knowledge: [
    'agent',
    'cheerio',
    'domhandler',
    'htmlparser2',
    'minisearch',
    'stemmer',
    'linkedom',
    '@mozilla/readability',
    'node:*',
  ],
  llm: ['agent'],
  tools: ['agent', 'knowledge', 'mathjs'],
  traces: ['agent', 'node:*'],
  exporters: ['agent', 'markdown-it'],
  webview: ['agent', 'protocol.ts', 'markdown-it'],
  cli: ['agent', 'llm', 'knowledge', 'tools', 'traces', 'exporters', 'node:*'],
  host: ['agent', 'protocol.ts', 'knowledge', 'llm', 'tools', 'traces', 'exporters', 'vscode', 'node:*'],
  'extension.ts': [
    'agent',
    'protocol.ts',
    'knowledge',
    'llm',
    'tools',
    'traces',
    'exporters',
    'host',
    'vscode',
    'node:*',
  ],
};

const files = (readdirSync('src', { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'));

function targetOf(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) {
    if (specifier.startsWith('node:')) return 'node:*';
    return specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
  }
  const path = relative('src', join('src', file, '..', specifier)).split(sep);
  const first = path[0] as string;
  return first in ALLOWED ? first : `${first}.ts`;
}

describe('who may import whom', () => {
  for (const file of files) {
    const owner = file.split(sep)[0] as string;
    it(file, () => {
      const allowed = ALLOWED[owner];
      assert(allowed, `${owner} is a new folder: say in this table what it may import`);
      const text = readFileSync(join('src', file), 'utf8');
      const imports = text.matchAll(
        /^(?:import|export)\s[^;'"=]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\)/gm,
      );
      for (const [, named, bare, dynamic] of imports) {
        const specifier = (named ?? bare ?? dynamic) as string;
        const target = targetOf(file, specifier);
        assert(target === owner || allowed.includes(target), `${file} imports ${specifier}`);
      }
    });
  }
});
