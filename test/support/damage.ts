import type { TraceEvent } from '../../src/agent/event';

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TEXTS = ['', 'Ada', '文档 😀', '</script>', '"\\', '\u2028', 'Search[x]', '\u202e', 'a'.repeat(300), '{"type":'];

/** A short run with every type of event, in an order that a run need not have. */
export function randomTrace(seed: number): TraceEvent[] {
  const random = randomOf(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const text = () => pick(TEXTS);
  const time = new Date(1.7e12 + Math.floor(random() * 1e9)).toISOString();
  const step = () => 1 + Math.floor(random() * 6);
  const makers: (() => TraceEvent)[] = [
    () => ({ type: 'thought', time, step: step(), text: text() }),
    () => ({ type: 'reasoning', time, step: step(), text: text() }),
    () => ({ type: 'action', time, step: step(), tool: text(), input: random() < 0.5 ? text() : { [text()]: text() } }),
    () => ({ type: 'observation', time, step: step(), text: text(), ok: random() < 0.5, ms: random() * 1000 }),
    () => ({ type: 'notice', time, step: step(), kind: 'loop', text: text() }),
    () => ({ type: 'control', time, step: step(), action: 'note', text: text() }),
    () => ({ type: 'plan', time, step: step(), items: [{ text: text(), done: false }] }),
    () => ({ type: 'model-request', time, step: step(), messages: [{ role: 'user', content: text() }], options: {} }),
    () => ({
      type: 'model-reply',
      time,
      step: step(),
      raw: text(),
      finishReason: null,
      cut: false,
      usage: random() < 0.5 ? null : { prompt: 1, completion: 2 },
      ms: 1,
      firstTokenMs: null,
      attempts: 1,
    }),
  ];
  const start: TraceEvent = {
    type: 'run-start',
    version: 1,
    time,
    run: `run-${seed}`,
    question: text(),
    language: 'en',
    provider: 'p',
    model: text(),
    protocol: 'text',
    tools: [],
    limits: { steps: 8, seconds: 60 },
  };
  const events = [start, ...Array.from({ length: Math.floor(random() * 12) }, () => pick(makers)())];
  if (random() < 0.7) {
    events.push({ type: 'run-end', time, outcome: 'answered', answer: text(), sources: [], steps: 1, ms: 1 });
  }
  return events;
}

/** A file's lines, spoilt somewhere, and how many of the first lines are still whole. */
export function damaged(lines: readonly string[], seed: number): { text: string; whole: number } {
  const random = randomOf(seed + 77);
  const at = Math.floor(random() * lines.length);
  const line = lines[at]!;
  const before = lines.slice(0, at);
  const after = lines.slice(at + 1);
  const cut = Math.floor(random() * (line.length - 1));
  const noise = Array.from({ length: Math.floor(random() * 40) }, () =>
    String.fromCharCode(Math.floor(random() * 0xffff)),
  ).join('');
  const value = ['null', '1e999', '"x"', '[]', '{}', 'true', '-1', '[[[[', '{"__proto__":1}'][
    Math.floor(random() * 9)
  ]!;
  const spoilt = [
    () => line.slice(0, cut),
    () => `${line.slice(0, cut)}${noise}${line.slice(cut)}`,
    () => `${noise}\n${line}`,
    () => line.replace(/:("[^"]*"|\d+|null|true|false)/, `:${value}`),
    () => line.replace(/"(text|step|type|raw|sources|messages|ms|limits|usage)":/, '"gone":'),
    () => `${value}\n`,
    () => line + line,
  ][Math.floor(random() * 7)]!();
  return { text: [...before, spoilt, ...(random() < 0.3 ? [] : after)].join(''), whole: at };
}
