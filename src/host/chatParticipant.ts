import * as vscode from 'vscode';
import type { AgentEvent, RunEnd, Source } from '../agent/event';
import { inputText } from '../agent/tool';
import { type ErrorReport, webAddress } from '../protocol';
import type { Asker, AskOptions } from './ask';
import { chatLink, chatMarkdown, chatText } from './chatMarkdown';
import { priorOf, questionWith } from './chatTurns';
import { connectModel, nextAction, showSteps } from './nextAction';
import type { LiveRun, Runs } from './runs';
import { readSettings } from './settings';
import { SAMPLES } from './viewSource';
import { OFFLINE } from './welcome';

export const PARTICIPANT = 'reactAgent.react';

/** The parts of VS Code's response stream that an answer is written with. */
export type ChatStream = Pick<vscode.ChatResponseStream, 'markdown' | 'progress' | 'reference' | 'button'>;
export type ChatQuestion = Pick<vscode.ChatRequest, 'prompt' | 'command' | 'references'> & {
  model?: vscode.LanguageModelChat;
};

/** `@react` in VS Code's chat: the same agent and the same runs as in the trace view, told as a chat tells things. */
export class ChatParticipant {
  private readonly answering = new Set<string>();

  constructor(
    private readonly runs: Runs,
    private readonly asker: Asker,
  ) {}

  /** Registers with VS Code, where it has a chat: forks may have none. */
  register(icon: vscode.Uri): vscode.Disposable | undefined {
    const participant = vscode.chat?.createChatParticipant?.(PARTICIPANT, (request, context, stream, token) =>
      this.respond(request, context.history, stream, token),
    );
    if (participant) participant.iconPath = icon;
    return participant;
  }

  /** True for a run whose answer is read in the chat, so that no other notice of it is needed. */
  answers(run: string): boolean {
    return this.answering.has(run);
  }

  /** Answers one turn. Never throws; what went wrong stands in the result. */
  async respond(
    request: ChatQuestion,
    history: vscode.ChatContext['history'],
    stream: ChatStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    if (this.runs.running) {
      stream.button(showSteps());
      stream.button({ command: 'reactAgent.stopRun', title: vscode.l10n.t('Stop') });
      return failure(
        vscode.l10n.t('A run is still going on.'),
        vscode.l10n.t('Stop it first, or wait for its answer.'),
      );
    }
    const prior = await priorOf(history, PARTICIPANT);
    const prompt = request.prompt.trim() || (request.command === 'sample' ? (SAMPLES()[0] as string) : '');
    const question = await questionWith(prompt, request.references);
    if (token.isCancellationRequested) return {};
    // An answer that comes at once must find somebody listening; whose events these are is known once the run has begun.
    let run: LiveRun | undefined;
    const early: { run: string; event: AgentEvent }[] = [];
    let report: ErrorReport | undefined;
    let ended: (end: RunEnd | undefined) => void = () => {};
    const end = new Promise<RunEnd | undefined>((resolve) => {
      ended = resolve;
    });
    const hear = ({ run: id, event }: { run: string; event: AgentEvent }) => {
      if (!run) {
        this.answering.add(id);
        early.push({ run: id, event });
      } else if (run.id === id) {
        tell(event, stream);
        if (event.type === 'run-end') ended(event);
      }
    };
    const listeners = vscode.Disposable.from(
      this.runs.onEvent(hear),
      this.runs.onDidChangeRun(() => {
        if (run && run.state !== 'running') ended(undefined);
      }),
      this.runs.onError((error) => {
        report = error;
      }),
      token.onCancellationRequested(() => run?.stopper.abort()),
    );
    try {
      run = await this.asker.ask(question, prior, chosen(request));
      if (!run) {
        if (report?.action) stream.button(nextAction(report.action));
        return failure(report?.message ?? '', report?.hint ?? '');
      }
      // Cancelled while the key was looked up, or the agent loaded.
      if (token.isCancellationRequested) run.stopper.abort();
      for (const one of early) hear(one);
      if (run.state !== 'running') ended(undefined);
      return conclude(await end, run, stream);
    } finally {
      listeners.dispose();
      for (const { run: id } of early) this.answering.delete(id);
      if (run) this.answering.delete(run.id);
    }
  }
}

/** Which model answers: the settings' one; where VS Code's models are chosen there, the one that the chat shows. */
function chosen({ command, model }: ChatQuestion): AskOptions {
  if (command === 'sample') return { settings: OFFLINE };
  return model && readSettings().provider === 'vscode' ? { settings: { model: `${model.vendor}/${model.id}` } } : {};
}

/** A step as it happens: one line of progress, and the page that was read. */
function tell(event: AgentEvent, stream: ChatStream): void {
  const line = lineOf(event);
  // Read as Markdown there, too.
  if (line) stream.progress(chatText(line));
  const address = event.type === 'observation' && event.document && webAddress(event.document.url);
  if (address) stream.reference(vscode.Uri.parse(address, true));
}

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'thought':
      return vscode.l10n.t('Step {0}: {1}', event.step, oneLine(event.text));
    case 'action': {
      const action = `${event.tool} · ${oneLine(inputText(event.input))}`;
      return event.tool === 'Finish' ? undefined : vscode.l10n.t('Step {0}: {1}', event.step, action);
    }
    case 'notice':
      return oneLine(event.text);
    default:
      return undefined;
  }
}

/** The answer with its sources, and what can be done next. */
function conclude(end: RunEnd | undefined, run: LiveRun, stream: ChatStream): vscode.ChatResult {
  const metadata = { trace: run.path };
  if (!end) {
    stream.button(showSteps());
    return {
      ...failure(vscode.l10n.t('The run was cut off.'), vscode.l10n.t('Ask again, or resume it in the view.')),
      metadata,
    };
  }
  if (end.answer) {
    if (end.bestEffort)
      stream.markdown(safe(`*${vscode.l10n.t('Best effort, written from what was gathered so far:')}*\n\n`));
    stream.markdown(safe(`${chatMarkdown(end.answer)}\n\n`));
    if (end.sources.length > 0) stream.markdown(safe(sourceList(end.sources)));
  }
  if (end.outcome === 'limit') stream.button({ command: 'reactAgent.resumeRun', title: vscode.l10n.t('More Steps') });
  if (end.error?.action) stream.button(nextAction(end.error.action));
  const start = run.events.find((event) => event.type === 'run-start');
  if (end.found === false && start?.provider === 'researcher') stream.button(connectModel());
  stream.button(showSteps());
  return end.error ? { ...failure(end.error.message, end.error.hint), metadata } : { metadata };
}

function sourceList(sources: readonly Source[]): string {
  const lines = sources.map(({ title, url }, index) => {
    const address = webAddress(url);
    const sample = url.startsWith('sample:') ? ` (${vscode.l10n.t('Sample wiki')})` : '';
    return `${index + 1}. ${address ? chatLink(title, address) : chatText(title) + sample}`;
  });
  return `${vscode.l10n.t('Sources')}\n\n${lines.join('\n')}\n`;
}

function safe(markdown: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString(markdown);
  text.isTrusted = false;
  text.supportHtml = false;
  return text;
}

function failure(message: string, hint: string): vscode.ChatResult {
  return { errorDetails: { message: `${message} ${hint}`.trim() } };
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200);
