import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a package in a path of a metafile. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * The licences of all packages that bundles hold code of, as they ask to be passed on with it.
 * @param {import('esbuild').Metafile[]} metafiles
 * @throws Error when a package names no licence
 */
export function thirdPartyNotices(metafiles) {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(inputs.flatMap(([path]) => PACKAGE.exec(path) ?? []));
  const notices = new Set([...folders].sort().map(notice));
  return `ReAct Agent holds code of these packages.\n${[...notices].join('')}`;
}

function notice(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!license) throw new Error(`${name} ${version} names no licence: it can't be shipped`);
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const copyright = `Copyright ${author?.name ?? author ?? `the authors of ${name}`}`;
  return `\n${'─'.repeat(80)}\n${name} ${version} (${license})\n\n${texts.join('\n\n') || copyright}\n`;
}
