import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The tables of settings and commands in both READMEs, made from the manifest. To renew them:
 * `npx tsx test/support/readmeTables.ts`.
 */
const ROOT = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

export const READMES = [
  {
    readme: 'README.md',
    texts: 'package.nls.json',
    settings: ['setting', 'default', 'what it does'],
    commands: ['command', 'id'],
  },
  {
    readme: 'README.zh-cn.md',
    texts: 'package.nls.zh-cn.json',
    settings: ['设置', '默认值', '作用'],
    commands: ['命令', '标识'],
  },
] as const;

type Readme = (typeof READMES)[number];
type Table = readonly (readonly string[])[];

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
const code = (text: string) => `\`${text}\``;

/** The rows that a table of a README should have, its head first. */
export function expectedTable(kind: 'settings' | 'commands', { texts, ...heads }: Readme): Table {
  const { contributes } = JSON.parse(read('package.json'));
  const table: Record<string, string> = JSON.parse(read(texts));
  const text = (key: string) => table[key.slice(1, -1)] ?? key;
  if (kind === 'settings') {
    const properties = Object.assign({}, ...[contributes.configuration].flat().map((section) => section.properties));
    const rows = Object.entries(properties as Record<string, { default: unknown; markdownDescription: string }>).map(
      ([name, setting]) => [code(name), code(JSON.stringify(setting.default)), cell(text(setting.markdownDescription))],
    );
    return [heads.settings, ...rows];
  }
  // what stands in menus only would not be found in the palette
  const hidden = (contributes.menus.commandPalette as { command: string; when: string }[])
    .filter(({ when }) => when === 'false')
    .map(({ command }) => command);
  const rows = (contributes.commands as { command: string; title: string }[])
    .filter(({ command }) => !hidden.includes(command))
    .map(({ command, title }) => [cell(text(title)), code(command)]);
  return [heads.commands, ...rows];
}

/** The rows that a README has between its two marks. */
export function writtenTable(kind: 'settings' | 'commands', { readme }: Readme): Table {
  const between = new RegExp(`<!-- ${kind} -->([\\s\\S]*?)<!-- /${kind} -->`).exec(read(readme))?.[1] ?? '';
  const lines = between.split('\n').filter((line) => line.startsWith('|') && !/^\|[\s|:-]+\|$/.test(line));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((text) => text.trim()),
  );
}

function renew(): void {
  for (const readme of READMES) {
    let text = read(readme.readme);
    for (const kind of ['settings', 'commands'] as const) {
      const [head = [], ...rows] = expectedTable(kind, readme);
      const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
      const marks = new RegExp(`(<!-- ${kind} -->)[\\s\\S]*?(<!-- /${kind} -->)`);
      text = text.replace(marks, (_whole, open, close) => `${open}\n\n${lines.join('\n')}\n\n${close}`);
    }
    writeFileSync(join(ROOT, readme.readme), text);
  }
}

if (process.argv[1] === __filename) renew();
