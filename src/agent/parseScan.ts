import { OPENERS } from './parseBalance';
import { type Body, CallBody, MarkupBody, ObjectBody, type Verdict } from './parseBody';
import { closesAtOnce, opensCall, readAction } from './parseForms';
import { type Label, LabelMatcher } from './parseLabels';
import { Line, RECENT } from './parseLine';
import { type Channel, LiveText } from './parseLive';
import { readMarkup } from './parseMarkup';
import type { Names } from './parseNames';
import { readBareObject } from './parseObject';
import { type Hole, labelEffect, type Section, type SectionLabel } from './parseSection';
import { mayBeginTag, type TagKind, TagReader, tagKind } from './parseTags';
import { Window } from './parseWindow';

/** How far into an action, and into any other line, a tool's name is looked for. */
const MAX_LEAD = 200;
const MAX_BARE_LEAD = 80;
const MAX_OPENERS = 8;
/** More than any real reply has: beyond these, text is just text. */
const MAX_SECTIONS = 400;
const MAX_OBJECTS = 50;

const JSON_LEAD = /^[\s>*_]*(?:[`~]{1,3}[a-z_]*\s*)?\[?\s*$/i;

/**
 * Splits a reply into sections while it streams, and decides where it ends: at the end of its first whole action, at an
 * Observation label, at an end token. Every decision depends on the text before it only, so that any chunking gives the same result.
 */
export class Scanner {
  /** Everything fed so far. */
  text = '';
  sections: Section[] = [{ label: 'text', at: 0, content: 0 }];
  holes: Hole[] = [];
  /** The reply's end, once it is known. */
  cut: number | undefined;
  /** Offset of the first label line inside the bracket that is open. */
  labelInside: number | undefined;
  private readonly window = new Window();
  readonly live = new LiveText(this.window);

  /** What the text at hand belongs to: lines, an action's body, reasoning, or nothing any more. */
  private state: 'lines' | 'think' | 'done' | Body = 'lines';
  private offset = 0;
  private readonly line = new Line();
  private readonly matcher = new LabelMatcher();
  private matching = true;
  private readonly tags = new TagReader();
  /** The character fed last is markup, not text. */
  private swallowed = false;

  /** Offset from which on a tool's name may stand before a bracket; undefined where no action is looked for. */
  private leadFrom: number | undefined = 0;
  private openers = 0;
  private objects = 0;
  /** Line of an action label inside a final answer: only a call behind it makes it one. */
  private actionInAnswer: number | undefined;
  private thinkTag = 0;
  private thinkContent = 0;
  /** What is open is a `<thought>`. */
  private inThought = false;

  /** @param thoughtTags false: a `<thought>` is a label like any other */
  constructor(
    private readonly names: Names,
    private readonly thoughtTags = true,
  ) {}

  feed(chunk: string): void {
    this.text += chunk;
    const { live, tags, offset, line } = this;
    const lineEnd = Math.max(line.start, offset - RECENT);
    this.window.add(chunk, Math.min(live.done, lineEnd, this.leadFrom ?? offset, tags.open ? tags.at : offset));
    let at = 0;
    while (at < chunk.length) {
      const end = tags.open ? at : this.runEnd(chunk, at);
      if (end > at) {
        line.addRun(chunk, at, end);
        this.offset += end - at;
      } else this.step(chunk[at] as string);
      at = Math.max(end, at + 1);
    }
    if (this.cut === undefined) live.release(Math.min(this.shownUntil(), this.offset), this.channel());
    else live.skip(this.offset);
  }

  /** The stream is over: settles what was waiting for more. */
  end(): void {
    if (this.state === 'lines' && this.matching && this.offset > this.line.start) {
      const match = this.matcher.feed('\n');
      if (match !== 'maybe' && match !== 'no') this.onLabel(match);
    }
    if (typeof this.state === 'object') this.settle(this.state.end(this.offset));
    if (this.state === 'think') this.leaveThink(this.offset, this.offset);
  }

  /** A bracket or object is open. */
  get unclosed(): boolean {
    return typeof this.state === 'object' && this.state.unclosed;
  }

  /** A `<thought>` is open: all that follows it would be lost. */
  get unclosedThought(): boolean {
    return this.state === 'think' && this.inThought;
  }

  private get section(): Section {
    return this.sections[this.sections.length - 1] as Section;
  }

  /** Where a run of characters that end nothing ends: most of a reply is read in such runs. */
  private runEnd(chunk: string, from: number): number {
    const { state } = this;
    const body = typeof state === 'object' ? state : undefined;
    const ends = state === 'lines' && this.leadFrom !== undefined;
    if (state !== 'done' && state !== 'think' && (this.matching || ends)) return from;
    let at = from;
    for (; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === 10 || code === 9665 || code === 91) break;
      if (code === 60 && (at + 1 === chunk.length || mayBeginTag(chunk.charCodeAt(at + 1)))) break;
      if (body && !body.pass(code, chunk[at] as string)) break;
    }
    return at;
  }

  private step(char: string): void {
    const { tags, line } = this;
    this.swallowed = false;
    if (tags.open || char === '<' || char === '◁' || char === '[') {
      const tag = tags.feed(char, this.offset, line.last, (from, to) => this.window.slice(from, to));
      const kind = tag && tagKind(tag);
      if (tag && kind) this.onTag(kind);
    }
    if (this.state !== 'done' && this.state !== 'think' && !this.swallowed) {
      const announced = this.matching && this.match(char);
      if (!announced && this.cut === undefined) this.content(char);
    }
    if (!this.swallowed) line.add(char);
    if (char === '\n') this.newLine();
    this.offset += 1;
  }

  /** Text before this offset is certainly part of the reply. */
  private shownUntil(): number {
    const { state } = this;
    let until = typeof state === 'object' ? state.certainUntil : Number.POSITIVE_INFINITY;
    if (this.tags.open) until = Math.min(until, this.tags.at);
    if (this.matching && state !== 'think') until = Math.min(until, this.line.start);
    if (this.actionInAnswer !== undefined && this.leadFrom !== undefined) until = Math.min(until, this.actionInAnswer);
    return until;
  }

  private channel(): Channel {
    if (this.state === 'think') return 'reasoning';
    // An Observation that the model put before everything else is its own invention.
    return this.state === 'done' || this.section.label === 'observation' ? 'none' : 'show';
  }

  private finish(cut: number): void {
    this.live.release(cut, this.channel());
    this.cut = cut;
    this.state = 'done';
  }

  private startSection(label: SectionLabel, at: number, content: number, weak = false): void {
    // What was hidden so far stays hidden.
    this.live.release(at, this.channel());
    this.sections.push({ label, at, content, ...(weak && { weak }) });
    this.leadAt(content);
  }

  private newLine(): void {
    this.line.end(this.offset, this.window);
    this.beginLine(this.offset + 1);
    this.matching = this.state !== 'think' && this.state !== 'done';
    if (this.section.label !== 'action' && this.section.label !== 'input') this.leadAt(this.line.start);
  }

  private beginLine(offset: number): void {
    this.line.begin(offset);
    this.actionInAnswer = undefined;
    this.matcher.reset();
    this.matching = true;
  }

  private leadAt(offset: number): void {
    this.leadFrom = offset;
    this.openers = 0;
  }

  private get lead(): string {
    return this.leadFrom === undefined ? '' : this.window.slice(this.leadFrom, this.offset);
  }

  /** @returns true where the character completed a label and is part of it */
  private match(char: string): boolean {
    const match = this.matcher.feed(char);
    if (match === 'maybe') return false;
    this.matching = false;
    if (match === 'no') return false;
    const inLines = this.state === 'lines';
    this.onLabel(match);
    return inLines && !this.matcher.overshoot;
  }

  private onLabel(label: Label): void {
    const { state, line } = this;
    if (typeof state === 'object') {
      if (label === 'observation' && !(state.quotes && this.matcher.quoted)) this.finish(line.start);
      else if (!state.quotes) this.labelInside ??= line.start;
    } else if (label === 'observation') this.onObservation();
    else if (this.sections.length <= MAX_SECTIONS && (!line.isExample || label === 'thought'))
      this.onLabelInLines(label);
  }

  /** An Observation is never the model's to write: the reply ends there, unless nothing came before it. */
  private onObservation(): void {
    const { start } = this.line;
    const isFirst = this.sections.length === 1 && this.holes.length === 0;
    if (isFirst && this.text.slice(0, Math.min(start, 1000)).trim() === '') this.openSection('observation');
    else this.finish(start);
  }

  private onLabelInLines(label: Label): void {
    const effect = labelEffect(this.section.label, label, () => this.actionIsUsable());
    if (effect === 'end') this.finish(this.line.start);
    else if (effect === 'open') this.openSection(label);
    else if (effect === 'may-act') {
      this.actionInAnswer = this.line.start;
      this.leadAt(this.offset + 1);
    }
  }

  private openSection(label: Label): void {
    const { overshoot, weak } = this.matcher;
    this.startSection(label, this.line.start, overshoot ? this.offset : this.offset + 1, weak);
  }

  /** Whether the lines under an action label name a tool, so that the next label ends the action. */
  private actionIsUsable(): boolean {
    const call = readAction(this.lead.replace(/\n[^\n]*$/, ''), undefined, this.names);
    if (typeof call !== 'object') return false;
    return !this.names.isFinish(call.tool) || call.input !== '';
  }

  private content(char: string): void {
    if (this.state === 'lines') this.lineContent(char);
    else if (typeof this.state === 'object') this.settle(this.state.feed(char, this.offset));
  }

  private lineContent(char: string): void {
    if (this.leadFrom === undefined) return;
    const { label } = this.section;
    const labelled = label === 'action' || label === 'input' || this.actionInAnswer !== undefined;
    const unsearched = label === 'observation' || label === 'final' || label === 'answer';
    const length = this.offset - this.leadFrom;
    if (length > (labelled ? MAX_LEAD : MAX_BARE_LEAD) || (unsearched && !labelled)) {
      this.leadFrom = undefined;
    } else if (OPENERS.has(char) && char !== '<' && length >= 0 && this.openers < MAX_OPENERS && !this.line.isExample) {
      this.openers += 1;
      this.opens(char, label);
    }
  }

  private opens(char: string, label: SectionLabel): void {
    const isObject = char === '{' && this.objects < MAX_OBJECTS && JSON_LEAD.test(this.lead);
    const inAnswer = this.actionInAnswer !== undefined;
    if (label === 'input') {
      if (isObject) this.openObject(char, false);
      return;
    }
    const labelled = label === 'action' || inAnswer;
    const start = Math.max(this.line.start, this.section.content);
    if (isObject && !inAnswer) {
      if (!labelled) this.startSection('json', start, this.offset);
      this.openObject(char, !labelled);
      return;
    }
    const tool = opensCall(this.lead, char, this.names, !labelled);
    if (tool === undefined || !closesAtOnce(this.lead, char)) return;
    if (this.actionInAnswer !== undefined) {
      this.finish(this.actionInAnswer);
      return;
    }
    if (!labelled) this.startSection('call', start, start);
    this.open(new CallBody(char, this.offset + 1, this.names.isFinish(tool), !labelled));
  }

  private openObject(char: string, bare: boolean): void {
    const from = this.offset;
    this.objects += 1;
    this.open(
      new ObjectBody(char, bare, (end) => readBareObject(this.text.slice(from, end), this.names) !== undefined),
    );
  }

  private open(body: Body): void {
    this.state = body;
    this.leadFrom = undefined;
  }

  private settle(verdict: Verdict): void {
    if (verdict === undefined) return;
    if (typeof verdict === 'number') {
      this.finish(verdict);
      return;
    }
    // What looked like an action is part of the text around it.
    if (verdict === 'rejected') this.sections.pop();
    this.state = 'lines';
    this.leadFrom = undefined;
  }

  private onTag(kind: TagKind): void {
    const { state } = this;
    const { at } = this.tags;
    const next = this.offset + 1;
    if (state === 'think') {
      const closes = kind === 'think-close' || kind === 'part-end' || (kind === 'thought-close' && this.inThought);
      if (closes) this.leaveThink(at, next);
      else if (kind === 'turn-end') {
        this.leaveThink(at, at);
        this.finish(at);
      }
    } else if (kind === 'think-close') {
      if (typeof state !== 'object') this.dropAllBefore(at, next);
    } else if (state === 'done') {
      // Nothing else after the end can change it.
    } else if (kind === 'turn-end' || kind === 'part-end') this.finish(at);
    else if (typeof state !== 'object') this.onTagInLines(kind, at, next);
    else if (kind === 'markup-close') this.settle(state.closeTag?.(next));
  }

  private onTagInLines(kind: TagKind, at: number, next: number): void {
    const { label } = this.section;
    if (kind === 'section-close' || kind === 'thought-close') {
      this.restartAt(next);
      return;
    }
    if (!this.isLineOpening(at, label)) return;
    if (kind === 'think-open' || (kind === 'thought-open' && this.thoughtTags)) {
      this.swallow(at);
      this.inThought = kind === 'thought-open';
      this.state = 'think';
      this.leadFrom = undefined;
      this.matching = false;
      this.thinkTag = at;
      this.thinkContent = next;
    } else if (kind === 'frame') {
      this.swallow(at);
      this.holes.push({ from: at, to: next });
      this.restartAt(next);
    } else if (kind === 'markup-open' && label !== 'final' && label !== 'answer') {
      this.startSection('markup', at, at);
      this.open(new MarkupBody((end) => readMarkup(this.text.slice(at, end), this.names) !== undefined));
      this.matching = false;
    }
  }

  /** Nothing but marks stands before the tag on its line, or after its label. */
  private isLineOpening(tagAt: number, label: SectionLabel): boolean {
    const { start } = this.line;
    if (tagAt - start > RECENT) return false;
    const before = this.window.slice(start, tagAt);
    if (/^[\s>*_#-]*$/.test(before)) return true;
    return (label === 'action' || label === 'thought') && /^[^:：]{1,30}[:：][\s*_]*$/.test(before);
  }

  /** The tag that ends at this character is no text; what stands before it is. */
  private swallow(tagAt: number): void {
    this.live.release(tagAt, this.channel());
    this.live.skip(this.offset + 1);
    this.swallowed = true;
  }

  /** What follows is read like the beginning of a line. */
  private restartAt(offset: number): void {
    this.swallowed = true;
    this.beginLine(offset);
    this.leadAt(offset);
  }

  private leaveThink(tagAt: number, next: number): void {
    this.swallow(tagAt);
    const reasoning = { from: this.thinkContent, to: tagAt };
    this.holes.push({ from: this.thinkTag, to: next, reasoning, ...(this.inThought && { isThought: true }) });
    this.state = 'lines';
    this.restartAt(next);
  }

  /** A closing tag whose opening one was swallowed by a template: all before it was reasoning. */
  private dropAllBefore(tagAt: number, next: number): void {
    if (this.cut === undefined) this.swallow(tagAt);
    else this.live.skip(next);
    this.cut = undefined;
    this.state = 'lines';
    this.holes = [{ from: 0, to: next, reasoning: { from: 0, to: tagAt } }];
    this.sections = [{ label: 'text', at: next, content: next }];
    this.labelInside = undefined;
    this.restartAt(next);
  }
}
