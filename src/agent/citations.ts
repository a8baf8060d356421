import type { RunEnd } from './event';
import type { Step } from './trace';

/** One sentence that carries the answer, with its number; a sentence cited twice has one number. */
export interface Citation {
  number: number;
  step: number;
  /** Index in the document, from 0. */
  sentence: number;
  title: string;
  url: string;
  /** As it was observed; undefined while the step is not here. */
  text: string | undefined;
}

/** A claim of the answer, and what carries it: nothing when it was not found in the sources. */
export interface CitedClaim {
  claim: string;
  status: 'verbatim' | 'partial' | 'none';
  citation?: Citation;
}

/** Numbers the evidence of an answer in the order of its claims; everything that shows an answer numbers it alike. */
export function citationsOf(end: RunEnd, stepAt: (step: number) => Step | undefined): CitedClaim[] {
  const citations = new Map<string, Citation>();
  return (end.support ?? []).map(({ claim, step, sentence, status }) => {
    if (step === undefined || status === 'none') return { claim, status: 'none' as const };
    // A calculator's result stands in its step, but in no page's sentence.
    if (sentence === undefined) return { claim, status };
    const key = `${step}:${sentence}`;
    let citation = citations.get(key);
    if (!citation) {
      const observation = stepAt(step)?.observation;
      const span = observation?.sentences?.find(({ index }) => index === sentence);
      const source = observation?.document ?? end.sources.find(({ steps }) => steps.includes(step));
      citation = {
        number: citations.size + 1,
        step,
        sentence,
        title: source?.title ?? '',
        url: source?.url ?? '',
        text: span && observation?.text.slice(span.start, span.end),
      };
      citations.set(key, citation);
    }
    return { claim, status, citation };
  });
}
