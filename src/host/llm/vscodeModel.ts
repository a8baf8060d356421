import * as vscode from 'vscode';
import { UserError } from '../../agent/errors';
import type { Message, ToolCall } from '../../agent/event';
import { ContextOverflow, type Llm, type LlmChunk, type LlmOptions } from '../../agent/llm';
import { readRefusal } from '../../llm/refusal';

/**
 * A model that VS Code offers (`vscode.lm`). It has no system role and no stop sequences, and reports no usage: the manual
 * goes into the first user message, replies are cut by us, and tokens read "unknown". VS Code 1.105 does not tell the model's
 * maker to stop once it has begun to answer; later versions do.
 * Its context window is what it says that it takes, known once it was first asked.
 * @param name the model's id, or `vendor/id`; empty: the first model VS Code offers
 */
export function vscodeModel(name: string): Llm {
  return new VscodeModel(name);
}

class VscodeModel implements Llm {
  readonly provider = 'vscode';
  readonly model: string;
  contextWindow?: number;

  constructor(private readonly name: string) {
    this.model = name || 'default';
  }

  async *stream(messages: readonly Message[], options: LlmOptions, signal: AbortSignal): AsyncGenerator<LlmChunk> {
    const source = new vscode.CancellationTokenSource();
    const cancel = () => source.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      const model = await find(this.name);
      if (model.maxInputTokens > 0) this.contextWindow = model.maxInputTokens;
      const request: vscode.LanguageModelChatRequestOptions = {
        justification: vscode.l10n.t('To research your question, step by step.'),
      };
      if (options.tools?.length) {
        request.tools = options.tools.map(({ name: tool, description, parameters }) => ({
          name: tool,
          description,
          inputSchema: parameters,
        }));
      }
      const response = await model.sendRequest(translate(messages), request, source.token);
      const sent = request.tools ? { tools: request.tools.map(({ name: tool }) => tool) } : {};
      yield { type: 'accepted', options: sent, attempts: 1 };
      let called = false;
      for await (const part of response.stream) {
        signal.throwIfAborted();
        if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
        if (part instanceof vscode.LanguageModelToolCallPart) {
          called = true;
          yield {
            type: 'tool-call',
            call: { id: part.callId, name: part.name, arguments: JSON.stringify(part.input) },
          };
        }
      }
      yield { type: 'finish', reason: called ? 'tool_calls' : 'stop' };
    } catch (error) {
      signal.throwIfAborted();
      throw explain(error);
    } finally {
      signal.removeEventListener('abort', cancel);
      // Whoever stops reading early wants the model to stop, too.
      source.cancel();
      source.dispose();
    }
  }
}

/** The models VS Code offers now; [] where it has none, or no such API. */
export async function offeredModels(): Promise<readonly vscode.LanguageModelChat[]> {
  return (await vscode.lm?.selectChatModels?.()) ?? [];
}

async function find(name: string): Promise<vscode.LanguageModelChat> {
  const models = await offeredModels();
  const found = name ? models.find((model) => model.id === name || `${model.vendor}/${model.id}` === name) : models[0];
  if (found) return found;
  const known = models.map((model) => `${model.vendor}/${model.id}`).join(', ');
  throw new UserError(
    name ? vscode.l10n.t('VS Code offers no model “{0}”.', name) : vscode.l10n.t('VS Code offers no language model.'),
    known
      ? vscode.l10n.t('Select one of: {0}.', known)
      : vscode.l10n.t('Install an extension that brings models, such as GitHub Copilot, or select another model.'),
    'select-model',
  );
}

function translate(messages: readonly Message[]): vscode.LanguageModelChatMessage[] {
  const translated: vscode.LanguageModelChatMessage[] = [];
  let system = '';
  for (const message of messages) {
    const { role, content, toolCalls, toolCallId } = message;
    if (role === 'system') system += `${content}\n\n`;
    else if (role === 'assistant') translated.push(assistant(content, toolCalls ?? []));
    else if (role === 'tool' && toolCallId !== undefined) {
      const result = new vscode.LanguageModelToolResultPart(toolCallId, [new vscode.LanguageModelTextPart(content)]);
      translated.push(vscode.LanguageModelChatMessage.User([result]));
    } else {
      translated.push(vscode.LanguageModelChatMessage.User(system + content));
      system = '';
    }
  }
  if (system) translated.unshift(vscode.LanguageModelChatMessage.User(system));
  return translated;
}

function assistant(content: string, calls: readonly ToolCall[]): vscode.LanguageModelChatMessage {
  if (calls.length === 0) return vscode.LanguageModelChatMessage.Assistant(content);
  const parts = calls.map((call) => new vscode.LanguageModelToolCallPart(call.id, call.name, argumentsOf(call)));
  return vscode.LanguageModelChatMessage.Assistant([
    ...(content ? [new vscode.LanguageModelTextPart(content)] : []),
    ...parts,
  ]);
}

/** What an earlier model wrote may be no JSON: a run that is resumed must not fail on it, step after step. */
function argumentsOf({ arguments: text }: ToolCall): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** VS Code's own errors, in words that name the next action; a prompt that was too long, as what it is. */
function explain(error: unknown): unknown {
  if (error instanceof UserError) return error;
  const said = [error, (error as Error).cause].map((each) => (each instanceof Error ? each.message : '')).join('\n');
  // No status comes along; as a refused request these words are read as an endpoint's.
  const { kind, window } = readRefusal(400, new Headers(), said);
  if (kind === 'context') return new ContextOverflow(said.trim(), window);
  // A fork may have no such class.
  if (!vscode.LanguageModelError || !(error instanceof vscode.LanguageModelError)) {
    const message = error instanceof Error ? error.message : String(error);
    return new UserError(
      vscode.l10n.t('The model failed: {0}', message),
      vscode.l10n.t('Try again, or select another model.'),
      'retry',
      { cause: error },
    );
  }
  const [message, hint] = REASONS.get(error.code)?.() ?? [
    vscode.l10n.t('VS Code’s model refused: {0}', error.message),
    vscode.l10n.t('Try again later, or select another model.'),
  ];
  return new UserError(message, hint, 'select-model', { cause: error });
}

const REASONS = new Map<string, () => [string, string]>([
  [
    'NoPermissions',
    () => [
      vscode.l10n.t('ReAct Agent may not use this model: consent was not given.'),
      vscode.l10n.t('Ask again and allow it in VS Code’s dialog, or select another model.'),
    ],
  ],
  ['NotFound', () => [vscode.l10n.t('VS Code no longer offers this model.'), vscode.l10n.t('Select another model.')]],
  [
    'Blocked',
    () => [
      vscode.l10n.t('VS Code blocked the request: the quota is used up, or a content filter stepped in.'),
      vscode.l10n.t('Try again later, or select another model.'),
    ],
  ],
]);
