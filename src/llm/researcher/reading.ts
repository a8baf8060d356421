import { type Ask, askOf, englishDemands, familiesOf } from './ask';
import { HAN } from './text';
import { type AnswerType, type Family, familyById, familyForms, KINDS, NOUN_ZH } from './words';

/** The question read with one of its names as the page to open. A second hop is asked of what the first one finds. */
export interface Reading {
  entity: string;
  hops: [Ask] | [Ask, Ask];
}

const YIELDS: ReadonlySet<AnswerType> = new Set(['person', 'name', 'place', 'country']);

const NOTHING: Ask = { type: 'definition', demands: [], literals: [] };

/** Reads the question with this name as the page to open. */
export function around(text: string, entity: string): Reading {
  const start = text.toLowerCase().indexOf(entity.toLowerCase());
  if (start === -1) return { entity, hops: [askOf(text)] };
  const left = text.slice(0, start).replace(/[《“「"]$/, '');
  const right = text.slice(start + entity.length).replace(/^[》”」"]/, '');
  const chain = HAN.test(left + right) ? chineseChain(left, right) : englishChain(left, right);
  if (
    chain &&
    YIELDS.has(chain.inner.type) &&
    !familiesOf(chain.inner.demands).some(({ id }) => id === 'locate' || id === 'study')
  ) {
    const outer = askOf(chain.outer);
    // “Where is the headquarters of E located?” is one step.
    const further = outer.demands.some((demand) => 'word' in demand || demand.family.id !== 'locate');
    if (further || outer.literals.length > 0) return { entity, hops: [chain.inner, outer] };
  }
  const ask = askOf(left + (HAN.test(left + right) ? '\u0001' : ' ; ') + right.replace(/^['’]s\b/, ''));
  // “Where is E?” and “哪国的” have no other word to look for.
  const implied = { place: 'locate', country: 'nationality', nationality: 'nationality' }[ask.type as string];
  if (implied && ask.demands.length === 0) ask.demands.push({ family: familyById(implied) });
  return { entity, hops: [ask] };
}

/** “the author of E”, “E's author”, “the company that developed E”: a relation of its own, inside the question. */
function englishChain(left: string, right: string): { inner: Ask; outer: string } | undefined {
  const innerOf = (noun: string, clause: string): Ask | undefined => {
    const { demands, literals } = englishDemands(clause);
    const family = familiesOf(demands).at(-1);
    if (!family) return undefined;
    const kind = KINDS.find(({ pattern }) => noun.split(' ').some((word) => pattern.test(word)))?.type;
    return { type: kind ?? family.type, demands, literals };
  };
  const relative =
    /^(.*?)\b(?:the\s+)?((?:[\w-]+\s+)?[\w-]+)\s+(?:that|which|who|whom)\s+((?:[\w-]+\s+){1,4})(?:the\s+|an?\s+)?$/i.exec(
      left,
    );
  if (relative && !/^(?:in|on|at|of|by|under|to|from|for|with|is|was)$/i.test(relative[2]!)) {
    const inner = innerOf(relative[2]!, relative[3]!);
    if (inner)
      return {
        inner: { ...inner, type: inner.type === 'date' ? 'name' : inner.type },
        outer: `${relative[1]} ; ${right}`,
      };
  }
  const of = /^(.*)\bthe\s+((?:[\w-]+\s+){0,2}[\w-]+)\s+(?:of|behind)\s+(?:the\s+|an?\s+)?$/i.exec(left);
  const inner = of && innerOf('', of[2]!);
  if (inner && YIELDS.has(inner.type)) return { inner, outer: `${of[1]} ; ${right}` };
  const owned = /^['’]s?\s+((?:[\w-]+\s+){0,2}?)([\w-]+)/.exec(right);
  for (let size = 1; owned && size <= 3; size++) {
    const noun = right
      .replace(/^['’]s?\s+/, '')
      .split(/\s+/)
      .slice(0, size)
      .join(' ');
    const mine = innerOf('', noun);
    if (mine) return { inner: mine, outer: `${left} ; ${right.slice(right.indexOf(noun) + noun.length)}` };
  }
  return undefined;
}

function chineseChain(left: string, right: string): { inner: Ask; outer: string } | undefined {
  const ask = (family: Family): Ask => ({ ...NOTHING, type: family.type, demands: [{ family }] });
  const verb = familyForms.find(({ form }) => form.length > 1 && new RegExp(`${form}[了过]?\\s*$`).test(left));
  if (verb && /^\s*的/.test(right)) {
    const noun = /^\s*的(?:那?[个位家])?(公司|机构|组织|人物|人|科学家|作家|工程师|程序员|数学家)?/.exec(right)!;
    const inner = ask(verb.family);
    const type = noun[1] && /公司|机构|组织/.test(noun[1]) ? 'name' : inner.type === 'date' ? 'person' : inner.type;
    return {
      inner: { ...inner, type },
      outer: `${left.replace(new RegExp(`${verb.form}[了过]?\\s*$`), '')}\u0001${right.slice(noun[0].length)}`,
    };
  }
  const maker = familyForms.find(({ form }) => new RegExp(`^\\s*的?${form}(?:公司|机构|团队|人)的`).test(right));
  if (maker) {
    const rest = right.replace(new RegExp(`^\\s*的?${maker.form}(?:公司|机构|团队|人)的`), '');
    return { inner: { ...ask(maker.family), type: 'name' }, outer: `${left}\u0001${rest}` };
  }
  const noun = familyForms.find(
    ({ form, family }) => NOUN_ZH.test(form) && YIELDS.has(family.type) && new RegExp(`^\\s*的?${form}`).test(right),
  );
  if (!noun) return undefined;
  const rest = right.replace(new RegExp(`^\\s*的?${noun.form}`), '');
  // A verb (创办了哪家公司) is the question itself, not a step on the way.
  if (/^[了过]/.test(rest)) return undefined;
  return { inner: ask(noun.family), outer: `${left}\u0001${rest}` };
}
