import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Builds dist/; ends this process with a message when the source does not build. Prints to stderr only. */
export function build() {
  const { status } = spawnSync(process.execPath, ['esbuild.js'], { stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  console.error('The build failed: mend the errors above, then run this again.');
  process.exit(1);
}

/** Builds when `output` is missing or older than the source. */
export function buildIfStale(output) {
  if (!existsSync(output)) return build();
  const built = statSync(output).mtimeMs;
  const sources = ['esbuild.js', 'package-lock.json', ...filesUnder('src')];
  if (sources.some((path) => statSync(path).mtimeMs > built)) build();
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
