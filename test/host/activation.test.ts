import assert from 'node:assert/strict';
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

  it('runs on the version that was asked for', () => {
    const expected = process.env.REACT_AGENT_VSCODE === 'oldest' ? /^1\.105\./ : /^1\.1[3-9]\d\./;
    assert.match(vscode.version, expected);
  });
});
