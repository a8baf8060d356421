import type { Language } from '../../src/agent/event';
import { afterObservation, afterUnreadable, beforeAction, type GuardContext } from '../../src/agent/loopGuard';
import { makeToolbox, type Tool } from '../../src/agent/tool';
import { emptyTrace, fold, type Trace } from '../../src/agent/trace';

const TIME = '2026-01-01T00:00:00.000Z';

function tool(name: string, argument: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    argument,
    description: { en: name, 'zh-CN': name },
    example: { en: '2 * (3 + 4)', 'zh-CN': '2 * (3 + 4)' },
    run: async () => ({ text: '' }),
    ...more,
  };
}

export const toolbox = makeToolbox([
  tool('Search', 'title', { opensPage: true, aliases: ['Wikipedia'] }),
  tool('Lookup', 'word', { advances: true }),
  tool('Fetch', 'url', { opensPage: true }),
  tool('Calculator', 'expression'),
  tool('List', 'path'),
]);

/** What a tool answered: `page` opens or reads a page, `miss` found nothing. */
interface Told {
  page?: string;
  text?: string;
  miss?: boolean;
  suggestions?: string[];
  thought?: string;
  /** The person said no. */
  deny?: boolean;
}

/** A run driven by hand: every act passes the guard first, as in the loop. */
export class GuardedRun {
  readonly trace: Trace = emptyTrace();
  readonly context: GuardContext;
  /** What the guard said of each act: run, block, stop, and hint or end after it ran. */
  readonly log: string[] = [];
  last: { observation?: string; hint?: string; notice?: string; earlier?: number } = {};
  #step = 0;

  constructor(question: string, language: Language = 'en') {
    this.context = { toolbox, language };
    fold(this.trace, {
      type: 'run-start',
      time: TIME,
      version: 1,
      run: 'r',
      question,
      language,
      provider: 'test',
      model: 'm',
      protocol: 'text',
      tools: [...toolbox.keys()],
      limits: { steps: 8, seconds: 60 },
    });
  }

  act(name: string, input: string | Record<string, unknown>, told: Told = {}): string {
    const step = ++this.#step;
    const { thought = '' } = told;
    const verdict = beforeAction(this.trace, { tool: name, input, thought }, this.context);
    if (thought) fold(this.trace, { type: 'thought', time: TIME, step, text: thought });
    fold(this.trace, { type: 'action', time: TIME, step, tool: name, input });
    if (verdict.decision !== 'run') {
      fold(this.trace, {
        type: 'observation',
        time: TIME,
        step,
        text: verdict.observation!,
        ok: false,
        ms: 0,
        blocked: true,
      });
      this.last = { ...verdict, earlier: verdict.earlier?.step };
      return this.#note(verdict.decision);
    }
    if (told.deny) {
      fold(this.trace, { type: 'control', time: TIME, step, action: 'deny' });
      fold(this.trace, {
        type: 'observation',
        time: TIME,
        step,
        text: 'The person did not allow this.',
        ok: false,
        ms: 0,
        blocked: true,
      });
      return this.#note('denied');
    }
    const text =
      told.text ??
      (told.miss ? `Nothing was found for ${String(input)}.` : `About ${String(input)}: fact ${step} of its own kind.`);
    const observation = {
      text,
      ok: !told.miss,
      ...(told.suggestions ? { suggestions: told.suggestions } : {}),
      ...(told.page
        ? { document: { title: told.page, url: `sample:${told.page}`, fetchedAt: TIME, hash: told.page } }
        : {}),
    };
    const after = afterObservation(this.trace, { action: { tool: name, input }, observation, thought }, this.context);
    fold(this.trace, {
      type: 'observation',
      time: TIME,
      step,
      ms: 1,
      ...observation,
      text: after.hint ? `${text}\n\n${after.hint}` : text,
      ...(after.hint ? { hintAt: text.length } : {}),
    });
    this.last = after;
    return this.#note(after.stop ? 'end' : after.hint ? 'hint' : 'run');
  }

  say(raw: string): string {
    const step = ++this.#step;
    fold(this.trace, {
      type: 'model-reply',
      time: TIME,
      step,
      raw,
      finishReason: 'stop',
      cut: false,
      usage: null,
      ms: 1,
      firstTokenMs: 1,
      attempts: 1,
    });
    const after = afterUnreadable(this.trace, { raw }, this.context);
    fold(this.trace, { type: 'observation', time: TIME, step, text: 'No action was found.', ok: false, ms: 0 });
    this.last = after;
    return this.#note(after.stop ? 'end' : 'run');
  }

  note(text: string): void {
    fold(this.trace, { type: 'control', time: TIME, step: this.#step, action: 'note', text });
  }

  #note(word: string): string {
    this.log.push(word);
    return word;
  }
}
