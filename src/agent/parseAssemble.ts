import { type Call, type FormRepair, readAction, stripEmphasis, stripTail } from './parseForms';
import { unquote } from './parseInput';
import { readMarkup } from './parseMarkup';
import { FINISH, type Names } from './parseNames';
import { readBareObject } from './parseObject';
import { answerProse, cleanThought, isRefusal, type PlanLine, readPlan } from './parseProse';
import type { Scanner } from './parseScan';
import type { Hole, Section } from './parseSection';

/** Why a reply has no action that can be run. */
export type Problem = 'empty' | 'no-action' | 'placeholder' | 'empty-finish' | 'truncated' | 'markup' | 'no-tool';
/** What had to be repaired to read a reply. Wrong numbers, case, emphasis and full-width signs are no repairs. */
export type RepairKind = FormRepair | 'several-steps' | 'missing-label' | 'same-line' | 'leading-observation';

export interface ParsedReply {
  thought?: string;
  /** What stood in `<think>` tags within the text, also unclosed or with the closing one only. */
  reasoning?: string;
  /** Finish and Final Answer both come as `Finish`; any other name as the model wrote it. */
  action?: { tool: string; input: string };
  plan?: PlanLine[];
  repairs: RepairKind[];
  problem?: Problem;
  /** The tool whose argument was a placeholder. */
  attempted?: string;
  /** Without an action: what the model said without labels, where it reads as an answer. */
  prose?: string;
  refusal?: boolean;
}

const PLACEHOLDER_ANSWER =
  /^[<{[(（【]?\s*(the |your )?(final |concrete )?answer( here| text| to the question)?\s*[>}\])）】]?$|^(\.{3}|…+)$|^[<【[]?(你的|您的|具体的?|最终)?(答案|回答)(内容)?[>】\]]?$/i;
const PLACEHOLDER_INPUT = /^(\.{3}|…+|<[^<>]{1,40}>|\{[a-z_ ]{1,30}\}|your (query|input|search)( here)?|关键词|实体)$/i;
const LABEL_LINE =
  /^[\s>*#`"-]*(thought|action|observation|final answer|question|思考|想法|行动|动作|观察|最终答案|问题)[^\n:：]{0,12}[:：]/im;
/** An action on the line of its thought, in a sentence of its own. */
const INLINE =
  /(?:^\s*|[.!?。！？)]\s*|\s[*_]{2}|\s[-–—]\s|\s(?=Action \d))[*_]{0,2}(?:(Action)|(Final Answer)|(行动|动作)|(最终答案))\s*\d{0,3}[*_]{0,2}\s*[:：][*_]{0,2}\s*(\S[^\n]*)/;

/** Makes one reply of what the scanner found: its sections, in order, the first whole action, and what had to be repaired. */
export class Assembler {
  private readonly thoughts: string[] = [];
  private readonly repairs = new Set<RepairKind>();
  private plan: PlanLine[] | undefined;
  private noTool = false;
  private emptyFinish = false;
  private sawMarkup = false;
  private answer: string | undefined;
  private readonly end: number;

  constructor(
    private readonly scanner: Scanner,
    private readonly names: Names,
    private readonly truncated: boolean,
  ) {
    this.end = scanner.cut ?? scanner.text.length;
  }

  assemble(): ParsedReply {
    const call = this.findCall();
    if (call?.thought) this.thoughts.push(call.thought);
    for (const repair of call?.repairs ?? []) this.repairs.add(repair);
    this.noteRest();
    const labelled = this.thoughts.map(cleanThought).filter(Boolean).join('\n');
    const thought = labelled || cleanThought(this.reasoning((hole) => hole.isThought === true));
    const outcome = this.outcome(call, thought);
    const spoken = this.reasoning((hole) => !hole.isThought || labelled !== '');
    return {
      ...(thought && { thought }),
      ...(spoken && { reasoning: spoken }),
      ...outcome,
      ...(this.plan && { plan: this.plan }),
      repairs: outcome.action ? [...this.repairs] : [],
    };
  }

  private reasoning(wanted: (hole: Hole) => boolean): string {
    const { text, holes } = this.scanner;
    const parts = holes.map((hole) =>
      hole.reasoning && wanted(hole) ? text.slice(hole.reasoning.from, hole.reasoning.to) : '',
    );
    return parts
      .filter((part) => part.trim())
      .join('\n')
      .trim();
  }

  private outcome(
    call: Call | undefined,
    thought: string,
  ): Pick<ParsedReply, 'action' | 'problem' | 'attempted' | 'prose' | 'refusal'> {
    if (this.truncated) {
      const partial = call?.tool === FINISH ? call.input : answerProse(thought);
      return { problem: 'truncated', ...(partial && { prose: partial }) };
    }
    if (call) {
      const { tool, input } = call;
      const placeholder = tool === FINISH ? PLACEHOLDER_ANSWER : PLACEHOLDER_INPUT;
      if (placeholder.test(input)) return { problem: 'placeholder', attempted: tool };
      return { action: { tool, input } };
    }
    if (this.emptyFinish) return { problem: 'empty-finish' };
    if (this.sawMarkup) return { problem: 'markup' };
    if (this.noTool) return { problem: 'no-tool', ...this.spoken(thought) };
    if (!thought && this.isBlank()) return { problem: 'empty' };
    return { problem: 'no-action', ...this.spoken(thought) };
  }

  private isBlank(): boolean {
    return this.scanner.sections.every((_, index) => this.sectionText(index).trim() === '') && !this.plan;
  }

  private spoken(thought: string): Pick<ParsedReply, 'prose' | 'refusal'> {
    if (isRefusal(thought)) return { prose: thought, refusal: true };
    const prose = answerProse(thought);
    return prose === undefined ? {} : { prose };
  }

  /** The first action counts; an answer under a weak label counts where there is none. */
  private findCall(): Call | undefined {
    const { sections } = this.scanner;
    for (let index = 0; index < sections.length; index++) {
      const section = sections[index] as Section;
      const text = this.sectionText(index);
      const call = this.readSection(
        section,
        text,
        sections[index + 1]?.label === 'input' ? this.sectionText(index + 1) : undefined,
      );
      if (!call) continue;
      if (call.tool === FINISH && call.input === '') this.emptyFinish = true;
      else return call;
    }
    if (this.answer) return { tool: FINISH, input: this.answer, repairs: [] };
    return this.emptyFinish || this.truncated ? undefined : this.inlineCall();
  }

  private readSection(section: Section, text: string, input: string | undefined): Call | undefined {
    switch (section.label) {
      case 'text':
      case 'thought':
        if (/^\s*```/.test(text)) this.repairs.add('code-fence');
        this.thoughts.push(text);
        return undefined;
      case 'plan': {
        const { items, rest } = readPlan(text);
        if (items.length > 0) this.plan = items;
        this.thoughts.push(rest);
        return undefined;
      }
      case 'observation':
        this.repairs.add('leading-observation');
        return undefined;
      case 'final':
      case 'answer': {
        const answer = unquote(stripEmphasis(stripTail(text.trim())));
        if (section.label === 'answer') this.answer ??= answer || undefined;
        else if (answer === '') this.emptyFinish = true;
        return section.label === 'final' && answer ? { tool: FINISH, input: answer, repairs: [] } : undefined;
      }
      case 'json': {
        const call = readBareObject(text, this.names);
        return call && { ...call, repairs: ['json', ...call.repairs] };
      }
      case 'markup':
        this.sawMarkup = true;
        return readMarkup(text, this.names);
      case 'call':
      case 'action':
        return this.readActionSection(section, text, input);
      default:
        return undefined;
    }
  }

  private readActionSection(section: Section, text: string, input: string | undefined): Call | undefined {
    const call = readAction(text, input, this.names);
    if (call === 'none') {
      this.noTool = true;
      return undefined;
    }
    if (call === undefined || (section.weak && !this.names.isKnown(call.tool))) {
      this.thoughts.push(text);
      return undefined;
    }
    if (section.label === 'call') this.repairs.add('missing-label');
    return call;
  }

  private sectionText(index: number): string {
    const { sections, labelInside, cut } = this.scanner;
    const from = sections[index]?.content ?? 0;
    let to = Math.min(sections[index + 1]?.at ?? this.end, this.end);
    // A bracket that never closes ends at the label that came after it.
    if (index === sections.length - 1 && this.scanner.unclosed && cut === undefined && labelInside)
      to = Math.min(to, labelInside);
    const parts: string[] = [];
    let at = from;
    for (const hole of this.scanner.holes) {
      if (hole.to <= at || hole.from >= to) continue;
      parts.push(this.scanner.text.slice(at, Math.max(at, hole.from)));
      at = hole.to;
    }
    if (at < to) parts.push(this.scanner.text.slice(at, to));
    return parts.join('');
  }

  private inlineCall(): Call | undefined {
    for (const [index, text] of this.thoughts.entries()) {
      const match = /[:：]/.test(text) ? INLINE.exec(text) : null;
      if (!match) continue;
      const written = match[5] as string;
      const isAnswer = match[2] !== undefined || match[4] !== undefined;
      const call = isAnswer
        ? { tool: FINISH, input: stripTail(written), repairs: [] }
        : readAction(written, undefined, this.names);
      if (typeof call !== 'object' || !this.names.isKnown(call.tool) || call.repairs.includes('loose-argument'))
        continue;
      this.thoughts[index] = text.slice(0, match.index + (/^[.!?。！？)]/.test(match[0]) ? 1 : 0));
      this.repairs.add('same-line');
      return call;
    }
    return undefined;
  }

  /** Notes what was written after the end of the reply. */
  private noteRest(): void {
    const { text, cut } = this.scanner;
    if (cut === undefined) return;
    const rest = text.slice(cut, cut + 4000).replace(/<\/?[^>]{1,30}>|```|^\s*(observation|观察)\s*\d*\s*$/gi, '');
    if (LABEL_LINE.test(rest)) this.repairs.add('several-steps');
    else if (/[\p{L}\p{N}]/u.test(rest)) this.repairs.add('trailing-text');
  }
}
