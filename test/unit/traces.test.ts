import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../src/agent/errors';
import type { TraceEvent } from '../../src/agent/event';
import { foldOutline, type StepOutline } from '../../src/agent/outline';
import { foldAll, usageOf } from '../../src/agent/trace';
import { isOwned, OWNER_EXTENSION } from '../../src/traces/owner';
import { parseEvent, parseTrace, readTrace, TraceReader } from '../../src/traces/readTrace';
import { TraceFile, traceFileName } from '../../src/traces/traceFile';
import { damaged, randomTrace } from '../support/damage';
import { answered } from '../support/viewHarnessStory';

const line = (event: TraceEvent) => `${JSON.stringify(event)}\n`;
const text = answered.map(line).join('');

describe('a trace file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'traces-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('holds each event before append returns', () => {
    const path = join(folder, 'new', traceFileName(new Date(0), 'r'));
    const file = new TraceFile(path);
    for (const [index, event] of answered.entries()) {
      assert.equal(file.append(event), true);
      assert.equal(parseTrace(readFileSync(path, 'utf8')).events.length, index + 1);
    }
    assert.equal(file.close(), true);
    assert.deepEqual(parseTrace(readFileSync(path, 'utf8')).events, answered);
  });

  it('is never written over by another run', () => {
    const path = join(folder, 'a.react.jsonl');
    writeFileSync(path, text);
    const file = new TraceFile(path);
    assert.equal(file.append(answered[0]!), false);
    assert.equal((file.problem as NodeJS.ErrnoException).code, 'EEXIST');
    file.close();
    assert.equal(readFileSync(path, 'utf8'), text);
  });

  it('is owned while it is written, and by nobody afterwards', () => {
    const path = join(folder, 'a.react.jsonl');
    const file = new TraceFile(path);
    file.append(answered[0]!);
    assert.equal(isOwned(path), true);
    file.close();
    assert.equal(isOwned(path), false);
    assert.equal(existsSync(path + OWNER_EXTENSION), false);
  });

  it('loses its owner with the process that wrote it, and keeps what that wrote', async () => {
    const path = join(folder, 'a.react.jsonl');
    const script = join(folder, 'writer.ts');
    writeFileSync(
      script,
      `import { TraceFile } from ${JSON.stringify(join(process.cwd(), 'src/traces/traceFile'))};
const file = new TraceFile(${JSON.stringify(path)});
const events = ${JSON.stringify(answered.slice(0, -1))};
for (let n = 0; ; n++) {
  file.append(events[n % events.length]);
  process.send!(n);
}`,
    );
    const child: ChildProcess = fork(script, { execArgv: ['--require', 'tsx/cjs'], stdio: 'ignore' });
    let shown = 0;
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.on('message', (count) => {
        shown = Number(count) + 1;
        if (shown === 200) {
          assert.equal(isOwned(path), true);
          child.kill('SIGKILL');
          resolve();
        }
      });
    });
    await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(isOwned(path), false);
    const read = await readTrace(path);
    assert(read.events.length >= shown, `${shown} were told of, ${read.events.length} are there`);
    assert.equal(read.damaged, 0);
  }).timeout(20_000);

  it('is not owned by a later process that got the same number', () => {
    const path = join(folder, 'a.react.jsonl');
    writeFileSync(path, text);
    const claim = (owner: object, ageMs = 0) => {
      writeFileSync(path + OWNER_EXTENSION, JSON.stringify(owner));
      const when = new Date(Date.now() - ageMs);
      utimesSync(path + OWNER_EXTENSION, when, when);
    };
    claim({ pid: process.pid, host: hostname() });
    assert.equal(isOwned(path), true);
    claim({ pid: process.pid, host: hostname(), started: 'another time' });
    assert.equal(isOwned(path), false);
    claim({ pid: process.pid, host: hostname() }, 400 * 24 * 3600_000);
    assert.equal(isOwned(path), false, 'claimed before this machine was started');
    claim({ pid: 0, host: hostname() });
    assert.equal(isOwned(path), false);
    claim({ pid: 1, host: 'another-machine' });
    assert.equal(isOwned(path), true, 'just written, by a machine whose processes can’t be seen');
    const old = new Date(Date.now() - 3600_000);
    utimesSync(path, old, old);
    assert.equal(isOwned(path), false);
    writeFileSync(path + OWNER_EXTENSION, 'null');
    assert.equal(isOwned(path), false);
  });

  it('goes on in memory while a disk is full, and is whole again when there is room', function () {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      console.log('      (left out: a small file system can’t be mounted here)');
      return this.skip();
    }
    try {
      const ballast = join(disk, 'ballast');
      const path = join(disk, 'a.react.jsonl');
      const file = new TraceFile(path);
      file.append(answered[0]!);
      writeFileSync(ballast, Buffer.alloc(40_000));
      const large: TraceEvent = {
        type: 'thought',
        time: '2025-01-01T00:00:00.000Z',
        step: 1,
        text: 'x'.repeat(30_000),
      };
      assert.equal(file.append(large), false);
      assert.equal((file.problem as NodeJS.ErrnoException).code, 'ENOSPC');
      assert.equal(file.append(answered[1]!), false);
      const torn = parseTrace(readFileSync(path, 'utf8'));
      assert.deepEqual(torn.events, [answered[0]], 'what was written before is whole');
      rmSync(ballast);
      assert.equal(file.append(answered[2]!), true);
      assert.equal(file.problem, undefined);
      file.close();
      const read = parseTrace(readFileSync(path, 'utf8'));
      assert.deepEqual(read.events, [answered[0], large, answered[1], answered[2]]);
      assert.equal(read.torn || read.damaged > 0, false);

      // Full from the very first event, with room just before the file is closed.
      writeFileSync(ballast, '');
      try {
        writeFileSync(ballast, Buffer.alloc(100_000));
      } catch {
        // It takes all that is left.
      }
      const second = new TraceFile(join(disk, 'b.react.jsonl'));
      assert.equal(second.append(answered[0]!), false);
      rmSync(ballast);
      assert.equal(second.close(), true);
      assert.deepEqual(parseTrace(readFileSync(second.path, 'utf8')).events, [answered[0]]);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('can be read while another process appends to it', async () => {
    const path = join(folder, 'a.react.jsonl');
    const child = spawn(process.execPath, [
      '-e',
      `const fs = require('fs'); const text = ${JSON.stringify(text)};
       for (let at = 0; at < text.length; at += 37) fs.appendFileSync(${JSON.stringify(path)}, text.slice(at, at + 37));`,
    ]);
    const reader = new TraceReader();
    let at = 0;
    let over = false;
    child.once('exit', () => {
      over = true;
    });
    for (;;) {
      const last = over;
      const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
      reader.read(bytes.subarray(at));
      at = bytes.length;
      if (last) break;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.deepEqual(reader.events, answered);
  });
});

describe('reading a trace', () => {
  it('passes over a torn last line and damaged ones', () => {
    const torn = parseTrace(text.slice(0, -20));
    assert.deepEqual(torn.events, answered.slice(0, -1));
    assert.equal(torn.torn, true);
    const spoilt = parseTrace(text.replace('\n', '\n\u0000garbage\n\n'));
    assert.deepEqual(spoilt.events, answered);
    assert.equal(spoilt.damaged, 1);
  });

  it('takes a whole last line without its line break, Windows line breaks and a byte order mark', () => {
    assert.deepEqual(parseTrace(text.trimEnd()).events, answered);
    assert.equal(parseTrace(text.trimEnd()).torn, false);
    assert.deepEqual(parseTrace(`\uFEFF${text.replaceAll('\n', '\r\n')}`).events, answered);
  });

  it('cuts no character that stands at the border of two pieces', () => {
    const thought: TraceEvent = { type: 'thought', time: '2025-01-01T00:00:00.000Z', step: 1, text: '文档 😀 é' };
    const bytes = Buffer.from(line(thought), 'utf8');
    for (let cut = 0; cut <= bytes.length; cut++) {
      const reader = new TraceReader();
      reader.read(bytes.subarray(0, cut));
      reader.read(bytes.subarray(cut));
      assert.deepEqual(reader.events, [thought]);
    }
  });

  it('keeps what a newer version added, and says so', () => {
    const start = { ...answered[0]!, version: 9, mood: 'new' } as unknown as TraceEvent;
    const read = parseTrace(line(start) + line({ type: 'dream', time: 'x', step: 1 } as unknown as TraceEvent));
    assert.equal(read.newer, true);
    assert.equal(read.events.length, 2);
    assert.equal(foldAll(read.events).unknown, 1);
  });

  it('leaves out the live text that a terminal’s output holds', () => {
    const delta = '{"type":"delta","time":"x","step":1,"channel":"text","text":"a"}\n';
    assert.deepEqual(parseTrace(delta + text).events, answered);
  });

  it('refuses names that every object has, depths that overflow, and fields of the wrong kind', () => {
    for (const type of ['__proto__', 'constructor', 'toString']) {
      assert.doesNotThrow(() => foldAll(parseTrace(`{"type":"${type}","time":"x"}`).events));
    }
    const deep = `{"type":"action","time":"x","step":1,"tool":"a","input":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`;
    assert.equal(parseEvent(deep), undefined);
    assert.equal(parseEvent('['.repeat(200_000)), undefined);
    for (const wrong of [
      '{"type":"thought","time":"x","step":1e300,"text":"a"}',
      '{"type":"thought","time":"x","step":1.5,"text":"a"}',
      '{"type":"thought","time":"x","step":"1","text":"a"}',
      '{"type":"observation","time":"x","step":1,"text":"a","ok":true,"ms":1,"sentences":[null]}',
      '{"type":"model-reply","time":"x","step":1,"raw":"","finishReason":null,"ms":1,"usage":{"prompt":"1"}}',
      '{"type":"run-end","time":"x","outcome":"__proto__","sources":[],"steps":1,"ms":1}',
    ]) {
      assert.equal(parseEvent(wrong), undefined, wrong);
    }
  });

  it('says what to do about a file that is missing or none of ours', async () => {
    for (const path of ['/nowhere/at/all', 'package.json']) {
      await assert.rejects(readTrace(path), (error: UserError) => error instanceof UserError && error.hint !== '');
    }
  });

  it('reads 10,000 random and damaged files without a throw and without losing what stands before the damage', () => {
    const begun = Date.now();
    for (let seed = 1; seed <= 10_000; seed++) {
      const events = randomTrace(seed);
      const { text: spoilt, whole } = damaged(events.map(line), seed);
      const read = parseTrace(spoilt);
      for (const [index, event] of events.slice(0, whole).entries()) {
        assert.deepEqual(read.events[index], event, `seed ${seed}: event ${index}`);
      }
      const trace = foldAll(read.events);
      usageOf(trace);
      const outlines: StepOutline[] = [];
      for (const event of read.events) foldOutline(outlines, event);
      const steps = trace.steps.map(({ step }) => step);
      assert.deepEqual(
        steps,
        [...steps].sort((a, b) => a - b),
      );
    }
    assert(Date.now() - begun < 60_000);
  }).timeout(70_000);
});
