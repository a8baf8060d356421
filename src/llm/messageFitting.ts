import type { ErrorBody } from './errorBody';
import { drop } from './fieldFitting';
import type { Fit } from './fit';
import { NO } from './refusalWords';
import type { RequestBody } from './request';

const BACK = /pass|back|missing|must|require|include|缺少|必须|传回/i;
/** Mistral, Perplexity, Gemma’s template; ERNIE counts: “messages length must be odd”. */
const TURNS = /alternat|consecutive|successive|in a row|same role|expected last role|length must be odd|轮流|交替/i;
const SYSTEM =
  /(system|developer)[^.]{0,40}(role|message|prompt|instruction)|(role|message|prompt|instruction)[^.]{0,20}(system|developer)/i;
/** “user, assistant and function”, “`user` or `assistant`”: whoever else is named, the system is not. */
const LISTED = /\buser\W{1,6}((and|or)\W{1,3})?assistant\b/i;
const SYSTEM_LISTED = /(one of|permitted|expected|allowed)[^.]*\bsystem\b/i;
/** Zhipu: “角色信息不正确”; MiniMax: “invalid chat setting”; ERNIE: “the role of first message must be user”. */
const ROLE =
  /(unknown|invalid|unsupported|unexpected) role|role[^.]{0,40}not supported|(first|start)[^.]{0,30}user|invalid chat setting|角色/i;
const TOOLS = /\btools?\b|tool[ _-](use|call|choice)|function[ _-]?call/i;

/** Mends who speaks, in which order, and with what beside the text; undefined when the messages are not meant. */
export function fitMessages(said: ErrorBody, body: RequestBody, fit: Fit): Fit | undefined {
  const text = said.words;
  const reasoning = fitReasoning(said, fit);
  if (reasoning) return reasoning;
  const system = body.messages.findIndex((message) => message.role === 'system');
  const fold: Fit | undefined = system >= 0 && !fit.foldSystem ? { ...fit, foldSystem: true } : undefined;
  const join: Fit | undefined = fit.joinRoles ? undefined : { ...fit, joinRoles: true };
  if (TURNS.test(text)) return join ?? fold;
  if (SYSTEM.test(text) && NO.test(text)) return fold ?? join;
  if (fold && LISTED.test(text) && !SYSTEM_LISTED.test(text)) return fold;
  const tools = 'tools' in body && ((TOOLS.test(text) && NO.test(text)) || said.fields.some(isTools));
  if (tools) return drop(fit, 'tools');
  const refused = said.fields.some((field) => /^messages\.\d+\.role$/.test(field) || field === `messages.${system}`);
  return refused || ROLE.test(text) ? (fold ?? join) : undefined;
}

const isTools = (field: string) => /^tools?(_choice)?$/.test(field);

function fitReasoning(said: ErrorBody, fit: Fit): Fit | undefined {
  if (!/reasoning/i.test(said.words)) return undefined;
  const aboutMessages = said.fields.some((field) => field.startsWith('messages'));
  if (fit.sendReasoning && (NO.test(said.words) || aboutMessages)) return { ...fit, sendReasoning: false };
  return fit.sendReasoning === undefined && BACK.test(said.words) ? { ...fit, sendReasoning: true } : undefined;
}
