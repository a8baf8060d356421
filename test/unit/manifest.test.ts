import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'mocha';

const ROOT = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Setting {
  type?: string | string[];
  default?: unknown;
  scope?: string;
  enum?: string[];
  enumDescriptions?: string[];
  markdownDescription?: string;
  description?: string;
}

const manifest = JSON.parse(read('package.json'));
const { contributes } = manifest;
const texts: Record<string, string> = JSON.parse(read('package.nls.json'));
const textsChinese: Record<string, string> = JSON.parse(read('package.nls.zh-cn.json'));
const commands: { command: string; title: string; category?: string }[] = contributes.commands;
const ids = new Set(commands.map(({ command }) => command));
// one section or several: the settings editor takes both
const settings: Record<string, Setting> = Object.assign(
  {},
  ...[contributes.configuration].flat().map(({ properties }) => properties),
);

/** Command ids that a text of the manifest or of the walkthrough links to. */
const linked = (text: string) => [...text.matchAll(/\(command:([\w.]+)/g)].map(([, id]) => id as string);
const isOurs = (id: string) => ids.has(id) || /^reactAgent\.\w+\.focus$/.test(id);

describe('The manifest', () => {
  it('has what a marketplace shows, and files behind it', () => {
    for (const field of ['displayName', 'description', 'publisher', 'license', 'version'])
      assert.ok(manifest[field], field);
    assert.ok(manifest.categories.includes('AI'));
    assert.ok(manifest.keywords.length >= 5 && manifest.keywords.length <= 30);
    assert.match(manifest.galleryBanner.color, /^#[\da-f]{6}$/i);
    for (const path of [manifest.icon, contributes.viewsContainers.activitybar[0].icon, 'LICENSE', 'CHANGELOG.md']) {
      assert.ok(existsSync(join(ROOT, path)), path);
    }
    const png = readFileSync(join(ROOT, manifest.icon));
    assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG');
    assert.ok(png.readUInt32BE(16) >= 128 && png.readUInt32BE(20) >= 128, 'the marketplace wants 128 pixels');
    // one icon serves both themes because it takes its colour from them
    assert.match(read(contributes.viewsContainers.activitybar[0].icon), /currentColor/);
  });

  it('promises no VS Code older than the API it is compiled against', () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  });

  it('costs nothing until it is used: no activation at start', () => {
    for (const event of manifest.activationEvents ?? []) {
      assert.doesNotMatch(event, /^(?:\*|onStartupFinished|workspaceContains:)/);
    }
  });

  it('takes no key of VS Code’s own', () => {
    for (const { command, when } of contributes.keybindings ?? []) {
      assert.match(when ?? '', /reactAgent|view ==|focusedView/, `${command} holds in our own place only`);
    }
  });

  it('adds one entry to the editor’s context menu, and only with a selection', () => {
    const entries: { when?: string }[] = contributes.menus['editor/context'] ?? [];
    assert.equal(entries.length, 1);
    assert.match(entries[0]?.when ?? '', /editorHasSelection/);
  });

  it('gives every command a category, a title of its own, and every menu a command that exists', () => {
    const titles = commands.map(({ title }) => texts[title.slice(1, -1)]);
    assert.equal(new Set(titles).size, titles.length, 'two commands with one title');
    const chinese = commands.map(({ title }) => textsChinese[title.slice(1, -1)]);
    assert.equal(new Set(chinese).size, chinese.length, 'two commands with one Chinese title');
    for (const { command, category } of commands) assert.ok(category, command);
    for (const [menu, entries] of Object.entries(contributes.menus)) {
      for (const { command, submenu } of entries as { command?: string; submenu?: string }[]) {
        assert.ok(submenu || (command && ids.has(command)), `${menu}: ${command}`);
      }
    }
  });

  it('describes every setting, each choice of it, and gives it a default of its type', () => {
    for (const [name, setting] of Object.entries(settings)) {
      assert.match(setting.markdownDescription ?? setting.description ?? '', /^%.+%$/, name);
      if (setting.enum) assert.equal(setting.enumDescriptions?.length, setting.enum.length, name);
      assert.notEqual(setting.default, undefined, name);
      const type = Array.isArray(setting.default) ? 'array' : typeof setting.default;
      assert.ok(
        [setting.type].flat().includes(type === 'number' && setting.type === 'integer' ? 'integer' : type),
        name,
      );
    }
  });

  it('lets no folder say where keys, questions or files go: such settings are the machine’s, and restricted', () => {
    const restricted: string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    const ofMachine = Object.keys(settings).filter((name) => settings[name]?.scope === 'machine');
    for (const name of [
      'model.provider',
      'model.baseUrl',
      'knowledge.wiki',
      'knowledge.sites',
      'instructions',
      'tools',
    ]) {
      assert.ok(ofMachine.includes(`reactAgent.${name}`), name);
    }
    assert.deepEqual(
      ofMachine.filter((name) => !restricted.includes(name)),
      [],
    );
    // What a question may cost is the user's to say, too, until the folder is trusted.
    const spending = Object.keys(settings).filter((name) => /^reactAgent\.(?:limits|strategies)\./.test(name));
    assert.deepEqual(
      spending.filter((name) => !restricted.includes(name)),
      [],
    );
    assert.deepEqual(
      restricted.filter((name) => !settings[name]),
      [],
    );
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('has a walkthrough whose pages, pictures, links and events exist in both languages', () => {
    const [walkthrough] = contributes.walkthroughs;
    assert.ok(walkthrough.steps.length >= 4);
    for (const { id, description, media, completionEvents = [] } of walkthrough.steps) {
      const key = description.slice(1, -1);
      assert.ok(linked(texts[key] ?? '').length > 0, `${id} has a button`);
      assert.deepEqual(linked(texts[key] ?? ''), linked(textsChinese[key] ?? ''), id);
      for (const link of linked(texts[key] ?? '')) assert.ok(isOurs(link), `${id}: ${link}`);
      for (const event of completionEvents as string[]) {
        const [kind, name = ''] = event.split(/:(.*)/);
        const exists: Record<string, () => unknown> = {
          onCommand: () => isOurs(name),
          onSettingChanged: () => settings[name],
          onContext: () => read('src/host/statusBar.ts').includes(`'${name}', true`),
        };
        assert.ok(exists[kind as string]?.(), `${id}: ${event}`);
      }
      // VS Code looks for the page in the display language beside the English one
      for (const page of [media.markdown, media.markdown.replace(/\.md$/, '.nls.zh-cn.md')]) {
        const body = read(page);
        assert.equal(/\p{Script=Han}/u.test(body), page.includes('.nls.'), page);
        for (const [, picture] of body.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)) {
          assert.ok(existsSync(join(ROOT, page, '..', picture as string)), `${page}: ${picture}`);
        }
      }
    }
  });

  it('has at most ten npm scripts, and no dependency that would have to be shipped', () => {
    assert.ok(Object.keys(manifest.scripts).length <= 10);
    assert.deepEqual(Object.keys(manifest.dependencies ?? {}), []);
  });
});
