import { askAside } from './aside';
import type { AgentEvent, Language, Message, Usage } from './event';
import type { Run } from './run';
import { addUsage } from './trace';

const WORDS = {
  en: {
    ask: 'Answer the question from what you know. Think step by step, then write the answer alone on the last line, as “Answer: …”.',
    said: (votes: number, of: number) =>
      `The tools found nothing. This answer is from the model's memory: ${votes} of ${of} direct answers agree.`,
    none: "The tools found nothing, and the model's memory gave no answer either.",
  },
  'zh-CN': {
    ask: '凭你的知识回答问题。先逐步思考，最后一行单独写答案，格式为“答案：…”。',
    said: (votes: number, of: number) =>
      `工具没有找到任何内容。此答案来自模型的记忆：${of} 次直接回答中有 ${votes} 次一致。`,
    none: '工具没有找到任何内容，模型的记忆也没有给出答案。',
  },
} satisfies Record<Language, unknown>;

/** Compared as HotpotQA compares answers: case, punctuation and English articles don't count. */
function normalise(answer: string): string {
  return answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b(?:a|an|the)\b|[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ +/g, ' ');
}

/**
 * The paper's fallback from ReAct to self-consistent chain of thought (CoT-SC, https://arxiv.org/abs/2210.03629, section 3.2):
 * k direct answers at temperature 0.7, the majority one wins. Undefined when no sample holds an answer.
 */
export async function* sampleAnswers(run: Run, step: number): AsyncGenerator<AgentEvent, string | undefined> {
  const words = WORDS[run.language];
  const samples = Math.max(1, Math.floor(run.input.strategies?.selfConsistency ?? 0));
  const messages: Message[] = [
    { role: 'system', content: words.ask },
    { role: 'user', content: run.input.question },
  ];
  const votes = new Map<string, { answer: string; count: number }>();
  let given = 0;
  let usage: Usage | null = { prompt: 0, completion: 0 };
  for (let sample = 0; sample < samples; sample++) {
    const said = await askAside(run, messages, { temperature: 0.7, maxTokens: run.cap.tokens }, [run.input.signal]);
    if (said.usage && usage) addUsage(usage, said.usage);
    else usage = null;
    // An endpoint that fails now fails for the other samples, too.
    if (said.failed) break;
    const answer = said.text.match(/(?:Answer|答案)\s*[:：]\s*(.+?)\s*$/iu)?.[1]?.trim();
    if (!answer) continue;
    given++;
    const key = normalise(answer);
    const vote = votes.get(key);
    if (vote) vote.count++;
    else votes.set(key, { answer, count: 1 });
  }
  const winner = [...votes.values()].sort((a, b) => b.count - a.count)[0];
  const text = winner ? words.said(winner.count, given) : words.none;
  yield run.emit({ type: 'notice', step, kind: 'evidence', text, usage });
  return winner?.answer;
}
