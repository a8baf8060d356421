import type { RunEnd, TraceEvent } from '../agent/event';
import { inputText } from '../agent/tool';
import { foldAll, type Step, type Trace } from '../agent/trace';
import type { CopyWhat } from '../protocol';
import { rawStep } from './traceSlices';

function stepText(step: Step): string {
  const lines: string[] = [];
  if (step.thought) lines.push(`Thought ${step.step}: ${step.thought}`);
  if (step.action) lines.push(`Action ${step.step}: ${step.action.tool}[${inputText(step.action.input)}]`);
  if (step.observation) lines.push(`Observation ${step.step}: ${step.observation.text}`);
  for (const notice of step.notices) lines.push(`(${notice.kind}) ${notice.text}`);
  return lines.join('\n');
}

function answerText(end: RunEnd): string {
  const sources = end.sources.map((source, index) => `[${index + 1}] ${source.title} ${source.url}`);
  return [end.answer ?? end.error?.message ?? end.outcome, ...(sources.length > 0 ? ['', ...sources] : [])].join('\n');
}

function runText(trace: Trace): string {
  const parts = [trace.start?.question ?? '', ...trace.steps.map(stepText)];
  if (trace.end) parts.push(answerText(trace.end));
  return parts.join('\n\n');
}

const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request of a step as a curl command. The endpoint and the key stay variables: neither is in a trace. */
function stepCurl(events: readonly TraceEvent[], step: number): string {
  const request = rawStep(events, step, true).requests.at(-1);
  const start = events.find((event) => event.type === 'run-start');
  const messages = request?.messages.map(({ role, content, toolCalls, toolCallId }) => ({
    role,
    content,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  }));
  const body = { model: start?.model, ...request?.options, messages };
  return [
    'curl "$OPENAI_BASE_URL/chat/completions"',
    '-H "Authorization: Bearer $OPENAI_API_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${shellQuote(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

/** A run, or one step of it, as text for the clipboard; all of it, whatever a view shows. */
export function copyText(events: readonly TraceEvent[], what: CopyWhat, step?: number): string {
  const chosen = step === undefined ? events : events.filter((event) => 'step' in event && event.step === step);
  switch (what) {
    case 'json':
      return `${chosen.map((event) => JSON.stringify(event)).join('\n')}\n`;
    case 'curl':
      return stepCurl(events, step ?? 1);
    case 'answer': {
      const end = events.findLast((event) => event.type === 'run-end');
      return end ? answerText(end) : '';
    }
    case 'text':
      return step === undefined ? runText(foldAll(events)) : foldAll(chosen).steps.map(stepText).join('\n\n');
  }
}
