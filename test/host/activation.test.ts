import assert from 'node:assert/strict';
import { realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as vscode from 'vscode';

const EXTENSION = 'react-agent.react-agent';

describe('The extension in a real VS Code', () => {
  it('activates, and every command of the manifest can be called', async () => {
    const extension = vscode.extensions.getExtension(EXTENSION);
    assert.ok(extension, `${EXTENSION} is installed`);
    await extension.activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const contributed: { command: string }[] = extension.packageJSON.contributes.commands;
    assert.ok(contributed.length > 0);
    const missing = contributed.map(({ command }) => command).filter((command) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('loads one small file to activate, and leaves the rest for later', () => {
    const folder = vscode.extensions.getExtension(EXTENSION)?.extensionPath ?? '';
    const dist = join(realpathSync(folder), 'dist');
    const loaded = Object.keys(require.cache).filter((path) => path.startsWith(dist));
    assert.deepEqual(
      loaded.map((path) => relative(dist, path)),
      ['extension.js'],
    );
    assert.ok(statSync(loaded[0] as string).size < 100_000, `${statSync(loaded[0] as string).size} bytes`);
  });

  it('runs on the version that was asked for', () => {
    const expected = process.env.REACT_AGENT_VSCODE === 'oldest' ? /^1\.105\./ : /^1\.1[3-9]\d\./;
    assert.match(vscode.version, expected);
  });
});
