import type { Language, Message } from '../agent/event';
import type { Llm, LlmChunk } from '../agent/llm';
import { type Conversation, NOTHING, readConversation, type Seen } from './researcher/conversation';
import { readQuestion } from './researcher/question';
import { type Desk, type Move, research, type Verdict } from './researcher/research';
import { SAYINGS } from './researcher/words';

/** Actions before the answer: with Finish they keep within a limit of eight steps. */
const MOST_ACTIONS = 7;
/** Characters of one streamed piece. */
const PIECE = 8;

/**
 * The built-in researcher: no model but rules, behind the interface of one. It reads only the messages that a model would
 * read, and writes Thought and Action as a model does. A reply that gives up ends with the finish reason `not_found`.
 * @param language of its words where the question does not tell
 */
export function createResearcher(language: Language = 'en'): Llm {
  return {
    provider: 'researcher',
    model: 'built-in researcher (rules, no model)',
    async *stream(messages, _options, signal): AsyncGenerator<LlmChunk> {
      signal.throwIfAborted();
      yield { type: 'accepted', options: {}, attempts: 1 };
      const { text, found } = reply(messages, language);
      for (const piece of text.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, 'gu')) ?? []) {
        signal.throwIfAborted();
        yield { type: 'text', text: piece };
      }
      yield { type: 'finish', reason: found ? 'stop' : 'not_found' };
    },
  };
}

/** The next reply of a conversation. Nothing is remembered between calls: the research is followed again through what is seen. */
function reply(messages: readonly Message[], fallback: Language): { text: string; found: boolean } {
  const conversation = readConversation(messages, fallback);
  const { step, language, last } = conversation;
  const next = nextOf(conversation);
  if ('tool' in next)
    return {
      text: `Thought ${step}: ${inBrackets(next.thought)}\nAction ${step}: ${next.tool}[${next.input}]`,
      found: true,
    };
  const answer = inBrackets(next.answer);
  const thought = next.found ? SAYINGS[language].done : SAYINGS[language].giveUp;
  return {
    text: last ? `Finish[${answer}]` : `Thought ${step}: ${thought}\nAction ${step}: Finish[${answer}]`,
    found: next.found,
  };
}

/** Text fit to stand between an action's brackets: on one line, its own brackets made round. */
const inBrackets = (text: string) => text.replace(/\[/g, '(').replace(/\]/g, ')').replace(/\s+/g, ' ').trim();

/** Follows the research through the actions already taken, and returns what comes after them. */
function nextOf(conversation: Conversation): Move | Verdict {
  const { question, language, past, last, stuck, offers } = conversation;
  const desk: Desk = { language, looked: [], left: MOST_ACTIONS };
  const course = research(readQuestion(question), desk);
  const taken = new Set<number>();
  let from = 0;
  for (let turn = course.next(); ; ) {
    if (turn.done) return turn.value;
    const move = { ...turn.value, input: inBrackets(turn.value.input) };
    const at = past.findIndex(
      ({ tool, input }, index) => !taken.has(index) && index >= from && tool === move.tool && input === move.input,
    );
    let seen: Seen | undefined = past[at]?.seen;
    if (at !== -1) {
      taken.add(at);
      from = move.tool === 'Search' ? at : from;
    } else if (!offers(move.tool)) seen = NOTHING;
    else if (last || stuck || past.length >= MOST_ACTIONS)
      return desk.best ?? { found: false, answer: SAYINGS[language].notFound(desk.looked) };
    else return move;
    desk.left--;
    turn = course.next(seen!);
  }
}
