import type { TraceEvent } from '../agent/event';

type Fields = Record<string, unknown>;
type Check = (value: unknown) => boolean;

/** Nothing of ours nests deeper; what does would overflow the stack of whoever walks it. */
const DEEPEST = 60;
const MOST_STEPS = 1e7;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isBoolean: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isStep: Check = (value) => isCount(value) && (value as number) > 0 && (value as number) < MOST_STEPS;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (fields: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

const isUsage = shape({
  prompt: isNumber,
  completion: isNumber,
  reasoning: optional(isNumber),
  cached: optional(isNumber),
});
const isToolCall = shape({ id: isText, name: isText, arguments: isText });
const isMessage = shape({ role: isText, content: isText, toolCalls: optional(listOf(isToolCall)) });
const isSentence = shape({ index: isCount, start: isCount, end: isCount });
const OUTCOMES = ['answered', 'limit', 'cancelled', 'failed'];

/** What readers rely on in each type of event: its required fields, and the shape of the optional ones. */
const SHAPES = new Map<string, Check>([
  [
    'run-start',
    shape({
      version: isNumber,
      run: isText,
      question: isText,
      language: isText,
      provider: isText,
      model: isText,
      protocol: isText,
      tools: listOf(isText),
      limits: shape({ steps: isNumber, seconds: isNumber }),
      parent: optional(shape({ run: isText, kind: isText, step: optional(isStep) })),
    }),
  ],
  ['model-request', shape({ step: isStep, messages: listOf(isMessage), options: isObject })],
  [
    'model-reply',
    shape({
      step: isStep,
      raw: isText,
      finishReason: nullable(isText),
      usage: nullable(isUsage),
      ms: isNumber,
      firstTokenMs: nullable(isNumber),
      toolCalls: optional(listOf(isToolCall)),
    }),
  ],
  ['reasoning', shape({ step: isStep, text: isText })],
  ['plan', shape({ step: isStep, items: listOf(shape({ text: isText })) })],
  ['thought', shape({ step: isStep, text: isText })],
  ['action', shape({ step: isStep, tool: isText, input: (value) => isText(value) || isObject(value) })],
  [
    'observation',
    shape({
      step: isStep,
      text: isText,
      ok: isBoolean,
      ms: isNumber,
      hintAt: optional(isCount),
      suggestions: optional(listOf(isText)),
      outside: optional(isBoolean),
      document: optional(shape({ title: isText, url: isText })),
      sentences: optional(listOf(isSentence)),
    }),
  ],
  ['notice', shape({ step: isStep, kind: isText, text: isText, usage: nullable(isUsage) })],
  ['control', shape({ step: isStep, action: isText, text: optional(isText) })],
  [
    'run-end',
    shape({
      outcome: (value) => OUTCOMES.includes(value as string),
      answer: optional(isText),
      sources: listOf(shape({ title: isText, url: isText, steps: listOf(isNumber) })),
      support: optional(
        listOf(shape({ claim: isText, status: isText, step: optional(isNumber), sentence: optional(isNumber) })),
      ),
      error: optional(shape({ message: isText, hint: isText })),
      steps: isNumber,
      ms: isNumber,
      usage: optional(isUsage),
      cost: optional(isNumber),
    }),
  ],
]);

/** True for an event that readers can rely on. Of an unknown type only `type` and `time` are asked. */
export function isEvent(value: unknown): value is TraceEvent {
  if (!isObject(value) || !isText(value.type) || !isText(value.time) || isDeeper(value, DEEPEST)) return false;
  return SHAPES.get(value.type as string)?.(value) ?? true;
}

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1));
}
