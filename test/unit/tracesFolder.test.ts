import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunStart, TraceEvent } from '../../src/agent/event';
import { dayLabel, dayOf, sizeText } from '../../src/host/historyDays';
import { matches, NO_FILTER } from '../../src/host/historyFilter';
import { fileNameFor, oneLine } from '../../src/traces/names';
import { TraceFile, traceFileName } from '../../src/traces/traceFile';
import { inSlices, TraceFolder } from '../../src/traces/traceFolder';

const DAY = 24 * 3600_000;
const start = (run: string, question: string, time: number, more: Partial<RunStart> = {}): RunStart => ({
  type: 'run-start',
  version: 1,
  time: new Date(time).toISOString(),
  run,
  question,
  language: 'en',
  provider: 'p',
  model: 'm1',
  protocol: 'text',
  tools: [],
  limits: { steps: 8, seconds: 60 },
  ...more,
});
const end = (answer: string): TraceEvent => ({
  type: 'run-end',
  time: '2025-01-01T00:00:00.000Z',
  outcome: 'answered',
  answer,
  sources: [],
  steps: 3,
  ms: 5,
});
const thought = (text: string, step = 2): TraceEvent => ({
  type: 'thought',
  time: '2025-01-01T00:00:00.000Z',
  step,
  text,
});

describe('a folder of traces', () => {
  let path: string;
  let folder: TraceFolder;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'folder-'));
    folder = new TraceFolder(path);
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  /** Writes a run's file; without an answer it has no end. Returns its name. */
  function store(run: string, question: string, time: number, answer?: string, filler = ''): string {
    const name = traceFileName(new Date(time), run);
    const events = [start(run, question, time), thought(filler), ...(answer === undefined ? [] : [end(answer)])];
    writeFileSync(join(path, name), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    return name;
  }
  const summaryOf = (name: string) => {
    const entry = folder.list().find((one) => one.name === name);
    return entry && folder.summary(entry);
  };

  it('lists newest first and tells how each ended from the two ends of its file', () => {
    const time = Date.UTC(2025, 2, 3, 9);
    const older = store('a', 'First?', time, 'Yes', 'x'.repeat(3_000_000));
    const newer = store('b', 'Second?', time + 1000);
    appendFileSync(join(path, newer), '{"type":"thought","time":"x","st');
    writeFileSync(join(path, 'other.react.jsonl'), 'not ours');
    writeFileSync(join(path, 'labels.jsonl'), '');
    const names = folder.list().map(({ name }) => name);
    assert.deepEqual(names.slice(-2), [newer, older]);
    assert.equal(summaryOf(older)?.status, 'answered');
    assert.equal(summaryOf(older)?.answer, 'Yes');
    assert.equal(summaryOf(older)?.steps, 3);
    assert.equal(summaryOf(newer)?.status, 'interrupted');
    assert.equal(summaryOf(newer)?.steps, 2);
    assert.equal(summaryOf('other.react.jsonl'), undefined);
  });

  it('tells an honest “not found” from an answer', () => {
    const name = store('a', 'Who repaired the tower?', 1e12);
    appendFileSync(join(path, name), `${JSON.stringify({ ...end('No page tells it.'), found: false })}\n`);
    assert.equal(summaryOf(name)?.status, 'not-found');
  });

  it('finds question and answer behind very long lines', () => {
    const name = store('a', 'q'.repeat(1_500_000), 1e12, 'a'.repeat(100_000), 'x');
    assert.equal(summaryOf(name)?.status, 'answered');
    assert(summaryOf(name)!.question.length <= 20_000);
  });

  it('tells a run that is being written from one whose writer is gone', () => {
    const name = traceFileName(new Date(0), 'live');
    const file = new TraceFile(join(path, name));
    file.append(start('live', 'Going on?', 0));
    assert.equal(summaryOf(name)?.status, 'running');
    assert.equal(folder.remove(name), undefined, 'nobody deletes what is being written');
    file.close();
    assert.equal(summaryOf(name)?.status, 'interrupted', 'though size and time of the file are as before');
    assert(folder.remove(name));
  });

  it('brings deleted runs back with their labels', () => {
    const name = store('a', 'Kept?', 1e12, 'Yes');
    const other = store('b', 'Other?', 1e12, 'Yes');
    folder.setLabel(name, { title: 'Mine', pinned: true });
    const trashed = folder.remove(name);
    assert(trashed);
    assert.equal(folder.remove(name), undefined, 'deleting twice does nothing');
    assert.deepEqual(
      folder.list().map((entry) => entry.name),
      [other],
    );
    assert.equal(folder.restore(trashed), true);
    assert.equal(folder.restore(trashed), false);
    assert.equal(summaryOf(name)?.answer, 'Yes');
    assert.deepEqual(folder.label(name), { title: 'Mine', pinned: true });
  });

  it('keeps what two windows note at once, past torn lines', () => {
    const other = new TraceFolder(path);
    folder.setLabel('x', { folders: ['file:///a'] });
    for (let n = 0; n < 50; n++) {
      folder.setLabel('x', { title: `t${n}` });
      other.setLabel('x', { pinned: n % 2 === 0 });
      other.setLabel(`y${n}`, { pinned: true });
    }
    appendFileSync(join(path, 'labels.jsonl'), '{"name":"x","title":"torn');
    assert.deepEqual(folder.label('x'), { folders: ['file:///a'], title: 't49', pinned: false });
    assert.deepEqual(other.label('x'), folder.label('x'));
    folder.setLabel('z', { title: null });
    assert.equal(other.label('y49').pinned, true);
  });

  it('rewrites a grown file of labels without the runs that are gone', async () => {
    const name = store('a', 'Here?', 1e12, 'Yes');
    folder.setLabel(name, { title: 'Kept' });
    writeFileSync(
      join(path, 'labels.jsonl'),
      Array.from({ length: 30_000 }, (_, n) => `{"name":"gone${n}","folders":["file:///a/b/c"]}\n`).join(''),
      { flag: 'a' },
    );
    await folder.prune(1e9);
    assert.deepEqual(folder.label(name), { title: 'Kept' });
    assert.deepEqual(folder.label('gone1'), {});
    assert(statSync(join(path, 'labels.jsonl')).size < 1000);
  });

  it('makes room: the trash first, then the oldest; never pinned, running or just finished runs', async () => {
    const filler = 'x'.repeat(10_000);
    const names = Array.from({ length: 8 }, (_, n) => store(`r${n}`, `Q${n}`, 1e12 + n * DAY, 'A', filler));
    const name = (n: number) => names[n] as string;
    const live = traceFileName(new Date(0), 'live');
    const file = new TraceFile(join(path, live));
    file.append(start('live', 'Going on?', 0));
    folder.setLabel(name(1), { pinned: true });
    assert(folder.remove(name(7)));
    const size = await folder.size();
    assert(size > 80_000, 'the trash counts');
    assert.equal(await folder.prune(size - 5_000), 0, 'emptying the trash was enough');
    assert.deepEqual(readdirSync(join(path, 'trash')), []);
    const removed = await folder.prune(25_000, join(path, name(0)));
    file.close();
    assert.equal(removed, 5);
    assert.deepEqual(new Set(folder.list().map((entry) => entry.name)), new Set([live, name(0), name(1)]));
  });

  it('goes on where a file can’t be removed, and where labels can’t be read for a moment', async () => {
    // A folder can be neither removed nor read as a file, as a file that another program holds can't be on Windows.
    mkdirSync(join(path, traceFileName(new Date(Date.now() - 4 * DAY), 'stuck')));
    const pinned = store('pinned', 'q', Date.now() - 3 * DAY, 'a');
    const old = store('old', 'q', Date.now() - 2 * DAY, 'a');
    folder.setLabel(pinned, { pinned: true });
    assert.equal(folder.label(pinned).pinned, true);
    renameSync(folder.labels.path, `${folder.labels.path}.away`);
    mkdirSync(folder.labels.path);
    assert.equal(await folder.prune(0), 1);
    assert.ok(existsSync(join(path, pinned)) && !existsSync(join(path, old)));
  });

  it('empties the trash after a day', async () => {
    const name = store('a', 'Q', 1e12, 'A');
    folder.remove(name);
    const [trashed] = readdirSync(join(path, 'trash'));
    await folder.prune(1e9);
    assert.equal(existsSync(join(path, 'trash', trashed!)), true);
    const old = `${Date.now() - 2 * DAY}-${name}`;
    writeFileSync(join(path, 'trash', old), 'x');
    await folder.prune(1e9);
    assert.deepEqual(readdirSync(join(path, 'trash')), [trashed]);
  });

  it('finds a run by its identifier', () => {
    const name = store('1f6e-77', 'Q', 1e12, 'A');
    assert.equal(folder.pathOf('1f6e-77'), join(path, name));
    assert.equal(folder.pathOf('77777'), undefined);
    assert.equal(folder.pathOf(''), undefined);
  });

  it('reads the heads of 5,000 runs in about a second, giving way to others all the time', async () => {
    for (let n = 0; n < 5000; n++) store(`r${n}`, `Question ${n}?`, 1e12 + n * 60_000, `Answer ${n}`, 'x'.repeat(200));
    let waited = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      waited = Math.max(waited, performance.now() - last);
      last = performance.now();
    }, 1);
    const begun = performance.now();
    const entries = folder.list();
    const listed = performance.now() - begun;
    let found = 0;
    await inSlices(entries, (entry) => {
      const summary = folder.summary(entry);
      if (summary && matches(summary, {}, { ...NO_FILTER, search: 'answer 49' })) found++;
    });
    const searched = performance.now() - begun;
    clearInterval(beat);
    console.log(
      `      listed in ${listed.toFixed(0)} ms, searched in ${searched.toFixed(0)} ms, at most ${waited.toFixed(0)} ms without a pause`,
    );
    const expected = entries.filter((_, n) => String(n).includes('49')).length;
    assert.equal(found, expected);
    assert(listed < 1000 && searched < 5000, `${listed} ms, ${searched} ms`);
    assert(waited < 500, `${waited} ms without a pause`);
  }).timeout(30_000);
});

describe('what history shows', () => {
  const summary = {
    path: '',
    name: '',
    size: 1,
    status: 'answered' as const,
    run: 'r',
    question: 'Who designed the Analytical Engine?',
    model: 'm1',
    startedAt: '',
    answer: 'Charles Babbage',
    steps: 2,
  };
  const shown = (change: object, label = {}) => matches(summary, label, { ...NO_FILTER, ...change });

  it('filters by words in question, title and answer, by outcome, model, pin and folder', () => {
    assert(shown({ search: 'babbage  ANALYTICAL' }));
    assert(!shown({ search: 'babbage difference' }));
    assert(shown({ search: 'mine' }, { title: 'Mine' }));
    assert(shown({ statuses: ['failed', 'answered'] }) && !shown({ statuses: ['failed'] }));
    assert(shown({ models: ['m1'] }) && !shown({ models: ['m2'] }));
    assert(shown({ pinned: true }, { pinned: true }) && !shown({ pinned: true }));
    assert(shown({ folders: ['b', 'c'] }, { folders: ['a', 'b'] }));
    assert(!shown({ folders: ['c'] }, { folders: ['a'] }));
    assert(shown({ folders: [] }) && !shown({ folders: [] }, { folders: ['a'] }));
    assert(shown({ folders: undefined }, { folders: ['gone'] }), 'runs of a folder that is gone are found under all');
  });

  it('names days in the display language, across a clock change', () => {
    const now = new Date(2025, 2, 31, 0, 30).getTime();
    assert.equal(dayLabel(dayOf(now), now, ['en']), 'Today');
    assert.equal(dayLabel('2025-03-30', now, ['en']), 'Yesterday');
    assert.equal(dayLabel('2025-03-30', now, ['zh-cn', 'en']), '昨天');
    assert.equal(dayLabel('2025-03-03', now, ['en']), 'Monday, March 3');
    assert.equal(dayLabel('2024-03-03', now, ['zh-cn']), '2024年3月3日星期日');
    assert.equal(dayLabel('2025-04-01', now, ['en']), 'Tuesday, April 1', 'a clock that was wrong');
    assert.equal(dayLabel(dayOf(Number.NaN), now, ['en']), '—');
  });

  it('tells sizes', () => {
    assert.equal(sizeText(1234, ['en']), '1.2 kB');
    assert.equal(sizeText(2_000_000_000, ['en']), '2 GB');
    assert.equal(sizeText(512_000_000, ['zh-cn']), '512 MB');
  });

  it('puts any text on one line, whole characters, nothing hidden', () => {
    assert.equal(oneLine('a\n b\t\u202ec\u0000d', 20), 'a b cd');
    assert.equal(oneLine('😀😀😀😀', 3), '😀😀…');
    assert.equal(oneLine('Vec<T> &lt; </script>', 40), 'Vec<T> &lt; </script>');
    assert(oneLine('x'.repeat(5_000_000), 80).length <= 81);
  });

  it('makes file names that every system takes', () => {
    const question = `C:/con? *<a|b>: 什么是 "TLS"… 😀${'长'.repeat(300)}.`;
    const name = fileNameFor(question, '.otlp.json');
    assert(name.length <= 80 && Buffer.byteLength(name) <= 255, name);
    assert.match(name, /^C con a b 什么是 TLS 😀长+\.otlp\.json$/u);
    for (const reserved of ['CON', 'nul', 'com1', 'LPT9', 'aux.html', 'con.a.b']) {
      assert.match(fileNameFor(reserved, '.md'), /^_/, reserved);
    }
    assert.equal(fileNameFor('console', '.md'), 'console.md');
    for (const empty of ['', '...', ' / ', '\u202e', '?*']) assert.equal(fileNameFor(empty, '.md'), 'trace.md');
    assert.equal(fileNameFor('ends with dots. . .', '.md'), 'ends with dots.md');
    assert.equal(fileNameFor('../../etc/passwd', '.md'), 'etc passwd.md');
  });
});
