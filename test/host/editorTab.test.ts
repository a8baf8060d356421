import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TraceEvent } from '../../src/agent/event';
import { driver } from '../support/driver';
import { until } from '../support/until';
import { answered } from '../support/viewHarnessStory';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const lines = (events: readonly TraceEvent[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

/** A file system of somebody else's: nothing in it has a path on this machine. */
class Elsewhere implements vscode.FileSystemProvider {
  readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  readonly files = new Map<string, Uint8Array>();
  watch() {
    return new vscode.Disposable(() => {});
  }
  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.files.get(uri.path);
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: Date.now(), size: file.length };
  }
  readFile(uri: vscode.Uri) {
    const file = this.files.get(uri.path);
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
  writeFile(uri: vscode.Uri, content: Uint8Array) {
    this.files.set(uri.path, content);
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
  readDirectory() {
    return [];
  }
  createDirectory() {}
  delete() {}
  rename() {}
}

/** The tab is the only webview that is visible while the side bar is closed. */
const text = () => (driver.evaluate('document.body.innerText') as Promise<string>).catch(() => '');
const shows = (part: string) => until(`“${part}” in the tab`, async () => (await text()).includes(part));

describe('A trace in an editor tab', () => {
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tab-'));
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  async function open(name: string, content: string): Promise<string> {
    const path = join(folder, name);
    writeFileSync(path, content);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
    return path;
  }

  it('opens by a click on its file, whole, with nothing to ask or steer', async () => {
    await open('a.react.jsonl', lines(answered));
    await shows('40 decimal digits');
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom && input.viewType === 'reactAgent.traceEditor');
    assert.equal(
      await driver.evaluate('[...document.querySelectorAll("textarea")].some((one) => one.checkVisibility())'),
      false,
    );
  });

  it('still opens as text', async () => {
    const path = join(folder, 'text.react.jsonl');
    writeFileSync(path, lines(answered));
    await vscode.commands.executeCommand('reactAgent.openTraceFile', vscode.Uri.file(path));
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path);
  });

  it('follows a file that grows, step by step, to its end', async () => {
    const path = await open('grows.react.jsonl', lines(answered.slice(0, 6)));
    await shows('Bernoulli numbers');
    for (const event of answered.slice(6)) {
      const line = `${JSON.stringify(event)}\n`;
      appendFileSync(path, line.slice(0, 20));
      await pause(20);
      appendFileSync(path, line.slice(20));
    }
    await shows('40 decimal digits');
    assert.equal(await driver.evaluate('document.querySelectorAll(".step").length'), 5);
  });

  for (const [name, content, expected] of [
    ['torn', lines(answered.slice(0, -1)) + lines(answered.slice(-1)).slice(0, 50), 'Its last line is torn'],
    ['spoilt', lines(answered).replace('\n', '\nnot a line\n'), '1 line is damaged'],
    ['newer', lines(answered).replace('"version":1', '"version":7'), 'A newer version of ReAct Agent'],
    ['headless', lines(answered.slice(1)), 'Its beginning is missing'],
  ] as const) {
    it(`shows what can be shown of a file that is ${name}, and says so`, async () => {
      const path = await open(`${name}.react.jsonl`, content);
      const old = new Date(Date.now() - 3600_000);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const { utimesSync } = await import('node:fs');
      utimesSync(path, old, old);
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
      await shows(expected);
      await shows('Bernoulli numbers');
    });
  }

  it('says of a file that is none of ours what it is, and of an empty one', async () => {
    await open('foreign.react.jsonl', '{"hello":"world"}\n'.repeat(100));
    await shows('This file holds no trace.');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open('empty.react.jsonl', '');
    await shows('This file is empty.');
  });

  it('opens a file of more than 50 MB', async () => {
    const large: TraceEvent = {
      type: 'reasoning',
      time: '2025-01-01T00:00:00.000Z',
      step: 2,
      text: 'x'.repeat(1_000_000),
    };
    await open(
      'large.react.jsonl',
      lines(answered.slice(0, -1)) + lines([large]).repeat(60) + lines(answered.slice(-1)),
    );
    await shows('40 decimal digits');
  });

  it('opens a file of another file system, and what is added to it', async () => {
    const elsewhere = new Elsewhere();
    const registration = vscode.workspace.registerFileSystemProvider('elsewhere', elsewhere);
    try {
      const uri = vscode.Uri.parse('elsewhere:/runs/a.react.jsonl');
      elsewhere.writeFile(uri, Buffer.from(lines(answered.slice(0, 6))));
      await vscode.commands.executeCommand('vscode.open', uri);
      await shows('Bernoulli numbers');
      elsewhere.writeFile(uri, Buffer.from(lines(answered)));
      await shows('40 decimal digits');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      registration.dispose();
    }
  });
});
