import { type ErrorAction, UserError } from '../agent/errors';
import type { Language } from '../agent/event';
import { type FailureFacts, SENTENCES } from './failureSentences';
import { type Failure, type FailureKind, RequestFailed } from './failures';
import { redact } from './redact';

const ACTIONS: Partial<Record<FailureKind, ErrorAction>> = {
  unauthorized: 'set-key',
  forbidden: 'set-key',
  'no-model': 'select-model',
  context: 'retry',
  quota: 'select-model',
  'rate-limit': 'retry',
  server: 'retry',
  loading: 'retry',
  dropped: 'retry',
  idle: 'retry',
  garbled: 'retry',
  'early-end': 'retry',
  empty: 'retry',
  rejected: 'test-connection',
  filtered: 'select-model',
  dns: 'open-settings',
  'wrong-path': 'test-connection',
  moved: 'test-connection',
  'web-page': 'test-connection',
};

const UNREACHED: ReadonlySet<FailureKind> = new Set(['refused', 'network']);

/** In a remote window “localhost” is the remote machine, which is seldom the one with the model. */
const ELSEWHERE: Record<Language, (host: string, machine: string) => [message: string, hint: string]> = {
  en: (host, machine) => [
    `Nothing answers at ${host} of the remote machine (${machine}), where this extension runs.`,
    'Forward the port of your own machine to it, or run the extension on your own machine: in the setting remote.extensionKind, give react-agent.react-agent the value ["ui"].',
  ],
  'zh-CN': (host, machine) => [
    `本扩展运行在远程计算机（${machine}）上，而它的 ${host} 没有响应。`,
    '请将你自己计算机的端口转发到远程计算机，或让扩展在你自己的计算机上运行：在设置 remote.extensionKind 中将 react-agent.react-agent 设为 ["ui"]。',
  ],
};

/** The failure in a person's words: what happened, and what to do next. The key appears in no form. */
export function toUserError(failure: Failure, facts: FailureFacts, language: Language): UserError {
  const clean = (text: string) => redact(text, facts.key).replace(/\s+/g, ' ').trim();
  const said = clean(failure.said).slice(0, 300);
  const { host, hostname } = new URL(facts.base);
  const { machine } = facts;
  const [message, hint] =
    machine && UNREACHED.has(failure.kind) && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
      ? ELSEWHERE[language](host, clean(machine))
      : SENTENCES[language][failure.kind]({ ...facts, host, failure: { ...failure, said }, said });
  // For the log and for tests of the connection: the bare facts, as clean as the message.
  const { body: _, base, ...bare } = failure;
  const cause = new RequestFailed({ ...bare, said: clean(failure.said), ...(base ? { base: clean(base) } : {}) });
  return new UserError(clean(message), clean(hint), ACTIONS[failure.kind] ?? 'test-connection', { cause });
}
