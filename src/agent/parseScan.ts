import { Balance, JsonBalance, OPENERS } from './parseBalance';
import { ExampleWatch } from './parseExample';
import { closesAtOnce, extendFinish, opensCall, readAction } from './parseForms';
import { type Label, LabelMatcher } from './parseLabels';
import { type Channel, LiveText } from './parseLive';
import { readMarkup } from './parseMarkup';
import type { Names } from './parseNames';
import { readBareObject } from './parseObject';
import { mayBeginTag, type TagKind, TagReader, tagKind } from './parseTags';
import { Window } from './parseWindow';

export type SectionLabel = Label | 'text' | 'call' | 'json' | 'markup';

/** A stretch of the reply under one label; it ends where the next begins. */
export interface Section {
  label: SectionLabel;
  /** Offset of its line. */
  at: number;
  /** Offset after the label. */
  content: number;
  /** The label had no colon. */
  weak?: boolean;
}

/** A stretch that is no part of the visible reply: a framing token, or reasoning with its tags. */
export interface Hole {
  from: number;
  to: number;
  reasoning?: { from: number; to: number };
}

/** `after-call`: the bracket is closed, but the rest of its line decides. */
type Mode = 'lines' | 'call' | 'after-call' | 'json' | 'markup' | 'think' | 'done';

/** How far into an action, and into any other line, a tool's name is looked for. */
const MAX_LEAD = 200;
const MAX_BARE_LEAD = 80;
const MAX_OPENERS = 8;
/** How far a line is read past a bracket that may not be the last of its answer. */
const MAX_AFTER = 40;
/** More than any real reply has: beyond these, text is just text. */
const MAX_SECTIONS = 400;
const MAX_OBJECTS = 50;
const MAX_MARKUP_TRIES = 8;
/** How much of a line's end is looked at. */
const RECENT = 120;
const SPACE = new Set(' \t\r\n\u3000\u00a0');

const JSON_LEAD = /^[\s>*_]*(?:[`~]{1,3}[a-z_]*\s*)?\[?\s*$/i;
/** What may follow a call without a label; anything else makes it the beginning of a sentence. */
const BARE_REST = /^[\s.。*_`"'”)]*$|^\s*[,，;；(（—–-]|^\s*(to|for|and|then|so|because)\b/i;

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

  private mode: Mode = 'lines';
  private offset = 0;
  private lineStart = 0;
  /** Nothing but white space stands on the line so far. */
  private blank = true;
  /** The character before, on the same line. */
  private last = '';
  private readonly example = new ExampleWatch();
  private readonly matcher = new LabelMatcher();
  private matching = true;
  private readonly tags = new TagReader();
  /** The character fed last is markup, not text. */
  private swallowed = false;

  /** Offset from which on a tool's name may stand before a bracket; undefined where no action is looked for. */
  private leadFrom: number | undefined = 0;
  private openers = 0;
  private balance = new Balance('[');
  private json = new JsonBalance();
  private bodyFrom = 0;
  /** No label stands before the call or object. */
  private bare = false;
  private isFinish = false;
  private callEnd = 0;
  private rest = '';
  private objects = 0;
  private markupTries = 0;
  /** Line of an action label inside a final answer: only a call behind it makes it one. */
  private actionInAnswer: number | undefined;
  private thinkTag = 0;
  private thinkContent = 0;

  constructor(private readonly names: Names) {}

  feed(chunk: string): void {
    this.text += chunk;
    const { live } = this;
    const lineEnd = Math.max(this.lineStart, this.offset - RECENT);
    this.window.add(
      chunk,
      Math.min(live.done, lineEnd, this.leadFrom ?? this.offset, this.tags.open ? this.tags.at : this.offset),
    );
    let at = 0;
    while (at < chunk.length) {
      const end = this.tags.open ? at : this.runEnd(chunk, at);
      if (end > at) this.run(chunk, at, end);
      else this.step(chunk[at] as string);
      at = Math.max(end, at + 1);
    }
    if (this.cut === undefined) live.release(Math.min(this.shownUntil(), this.offset), this.channel());
    else live.skip(this.offset);
  }

  /** The stream is over: settles what was waiting for more. */
  end(): void {
    if (this.mode === 'lines' && this.matching && this.offset > this.lineStart) {
      const match = this.matcher.feed('\n');
      if (match !== 'maybe' && match !== 'no') this.onLabel(match);
    }
    if (this.mode === 'call' && this.balance.candidate) this.closeCall();
    if (this.mode === 'after-call') this.settleCall();
    if (this.mode === 'json' && this.bare) this.settleJson(this.offset);
    if (this.mode === 'think') this.leaveThink(this.offset, this.offset);
  }

  /** A bracket or object is open. */
  get unclosed(): boolean {
    return this.mode === 'call' || this.mode === 'json';
  }

  private get section(): Section {
    return this.sections[this.sections.length - 1] as Section;
  }

  /** Where a run of characters that end nothing ends: most of a reply is read in such runs. */
  private runEnd(chunk: string, from: number): number {
    const { mode, balance, json } = this;
    const reading =
      mode === 'call' || mode === 'json' || mode === 'markup' || (mode === 'lines' && this.leadFrom === undefined);
    if (mode !== 'done' && mode !== 'think' && (this.matching || !reading)) return from;
    let at = from;
    for (; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === 10 || code === 9665 || (code === 91 && this.blank)) break;
      if (code === 60 && (at + 1 === chunk.length || mayBeginTag(chunk.charCodeAt(at + 1)))) break;
      if (mode === 'call') {
        if (balance.mayClose(code)) break;
        balance.feed(chunk[at] as string);
      } else if (mode === 'json') {
        if (code === 125 || code === 93) break;
        json.feed(chunk[at] as string);
      }
    }
    return at;
  }

  private run(chunk: string, from: number, to: number): void {
    if (this.blank) this.blank = chunk.slice(from, to).trim() === '';
    this.last = chunk[to - 1] as string;
    this.offset += to - from;
  }

  private step(char: string): void {
    const { tags } = this;
    this.swallowed = false;
    if (tags.open || char === '<' || char === '◁' || (char === '[' && this.blank)) {
      const tag = tags.feed(char, this.offset, this.last, (from, to) => this.window.slice(from, to));
      const kind = tag && tagKind(tag);
      if (tag && kind) this.onTag(kind);
    }
    if (this.mode !== 'done' && this.mode !== 'think' && !this.swallowed) {
      const announced = this.matching && this.match(char);
      if (!announced && this.cut === undefined) this.content(char);
    }
    if (!this.swallowed) {
      this.last = char;
      if (this.blank) this.blank = SPACE.has(char);
    }
    if (char === '\n') this.newLine();
    this.offset += 1;
  }

  /** Text before this offset is certainly part of the reply. */
  private shownUntil(): number {
    let until = Number.POSITIVE_INFINITY;
    if (this.tags.open) until = this.tags.at;
    if (this.matching && this.mode !== 'think') until = Math.min(until, this.lineStart);
    if (this.actionInAnswer !== undefined && this.leadFrom !== undefined) until = Math.min(until, this.actionInAnswer);
    if (this.mode === 'after-call') until = Math.min(until, this.callEnd);
    if (this.mode === 'call' && this.balance.candidate) until = Math.min(until, this.callEnd + this.balance.candidate);
    return until;
  }

  private channel(): Channel {
    if (this.mode === 'think') return 'reasoning';
    // An Observation that the model put before everything else is its own invention.
    return this.mode === 'done' || this.section.label === 'observation' ? 'none' : 'show';
  }

  private finish(cut: number): void {
    this.live.release(cut, this.channel());
    this.cut = cut;
    this.mode = 'done';
  }

  private startSection(label: SectionLabel, at: number, content: number, weak = false): void {
    // What was hidden so far stays hidden.
    this.live.release(at, this.channel());
    this.sections.push({ label, at, content, ...(weak && { weak }) });
    this.leadFrom = content;
    this.openers = 0;
  }

  private newLine(): void {
    if (!this.blank) {
      const { lineStart, offset } = this;
      // Only a colon announces an example, and only a fence ends one.
      const announces = this.example.inside || this.last === ':' || this.last === '：' || SPACE.has(this.last);
      const end = announces ? this.window.slice(Math.max(lineStart, offset - RECENT), offset) : '';
      this.example.endLine(this.window.slice(lineStart, Math.min(offset, lineStart + 8)), end);
    }
    this.beginLine(this.offset + 1);
    this.matching = this.mode !== 'think' && this.mode !== 'done';
    if (this.section.label !== 'action' && this.section.label !== 'input') this.leadAt(this.lineStart);
  }

  private leadAt(offset: number): void {
    this.leadFrom = offset;
    this.openers = 0;
  }

  private get lead(): string {
    return this.leadFrom === undefined ? '' : this.window.slice(this.leadFrom, this.offset);
  }

  private beginLine(offset: number): void {
    this.lineStart = offset;
    this.blank = true;
    this.last = '';
    this.actionInAnswer = undefined;
    this.matcher.reset();
    this.matching = true;
  }

  /** @returns true where the character completed a label and is part of it */
  private match(char: string): boolean {
    const match = this.matcher.feed(char);
    if (match === 'maybe') return false;
    this.matching = false;
    if (match === 'no') return false;
    const inLines = this.mode === 'lines';
    this.onLabel(match);
    return inLines && !this.matcher.overshoot;
  }

  private onLabel(label: Label): void {
    if (this.mode === 'call' || this.mode === 'after-call') {
      if (label === 'observation') this.finish(this.lineStart);
      else this.labelInside ??= this.lineStart;
    } else if (this.mode === 'json' || this.mode === 'markup') {
      if (label === 'observation' && !this.matcher.quoted) this.finish(this.lineStart);
    } else if (label === 'observation') this.onObservation();
    else if (this.sections.length <= MAX_SECTIONS && (!this.example.inside || label === 'thought'))
      this.onLabelInLines(label);
  }

  /** An Observation is never the model's to write: the reply ends there, unless nothing came before it. */
  private onObservation(): void {
    const isFirst = this.sections.length === 1 && this.holes.length === 0;
    if (isFirst && this.text.slice(0, Math.min(this.lineStart, 1000)).trim() === '') this.openSection('observation');
    else this.finish(this.lineStart);
  }

  private onLabelInLines(label: Label): void {
    const before = this.section.label;
    if (before === 'input') {
      if (label === 'thought' || label === 'action' || label === 'final') this.finish(this.lineStart);
    } else if (before === 'final') {
      if (label === 'question' || label === 'thought') this.finish(this.lineStart);
      if (label === 'action') {
        this.actionInAnswer = this.lineStart;
        this.leadAt(this.offset + 1);
      }
    } else if (before === 'answer' && label === 'question') {
      this.finish(this.lineStart);
    } else if (before === 'action' && label !== 'input' && this.actionIsUsable()) {
      this.finish(this.lineStart);
    } else if ((label !== 'input' || before === 'action') && !(before === 'answer' && label === 'plan')) {
      this.openSection(label);
    }
  }

  private openSection(label: Label): void {
    const { overshoot, weak } = this.matcher;
    this.startSection(label, this.lineStart, overshoot ? this.offset : this.offset + 1, weak);
  }

  /** Whether the lines under an action label name a tool, so that the next label ends the action. */
  private actionIsUsable(): boolean {
    const call = readAction(this.lead.replace(/\n[^\n]*$/, ''), undefined, this.names);
    if (typeof call !== 'object') return false;
    return !this.names.isFinish(call.tool) || call.input !== '';
  }

  private content(char: string): void {
    if (this.mode === 'lines') this.lineContent(char);
    else if (this.mode === 'call') {
      if (this.balance.feed(char)) this.closeCall();
    } else if (this.mode === 'after-call') {
      if (char === '\n' || this.rest.length >= MAX_AFTER) this.settleCall();
      else this.rest += char;
    } else if (this.mode === 'json') {
      if (this.json.feed(char)) this.settleJson(this.offset + 1);
    }
  }

  private lineContent(char: string): void {
    if (this.leadFrom === undefined) return;
    const { label } = this.section;
    const labelled = label === 'action' || label === 'input' || this.actionInAnswer !== undefined;
    const unsearched = label === 'observation' || label === 'final' || label === 'answer';
    const length = this.offset - this.leadFrom;
    if (length > (labelled ? MAX_LEAD : MAX_BARE_LEAD) || (unsearched && !labelled)) {
      this.leadFrom = undefined;
    } else if (OPENERS.has(char) && char !== '<' && length >= 0 && this.openers < MAX_OPENERS && !this.example.inside) {
      this.openers += 1;
      this.opens(char, label);
    }
  }

  private opens(char: string, label: SectionLabel): void {
    const isObject = char === '{' && this.objects < MAX_OBJECTS && JSON_LEAD.test(this.lead);
    const inAnswer = this.actionInAnswer !== undefined;
    if (label === 'input') {
      if (isObject) this.openJson(char, false);
      return;
    }
    const labelled = label === 'action' || inAnswer;
    const start = Math.max(this.lineStart, this.section.content);
    if (isObject && !inAnswer) {
      if (!labelled) this.startSection('json', start, this.offset);
      this.openJson(char, !labelled);
      return;
    }
    const tool = opensCall(this.lead, char, this.names, !labelled);
    if (tool === undefined || !closesAtOnce(this.lead, char)) return;
    if (this.actionInAnswer !== undefined) {
      this.finish(this.actionInAnswer);
      return;
    }
    if (!labelled) this.startSection('call', start, start);
    this.mode = 'call';
    this.leadFrom = undefined;
    this.bare = !labelled;
    this.isFinish = this.names.isFinish(tool);
    this.balance = new Balance(char);
    this.callEnd = this.offset + 1;
  }

  private openJson(char: string, bare: boolean): void {
    this.mode = 'json';
    this.leadFrom = undefined;
    this.objects += 1;
    this.bare = bare;
    this.bodyFrom = this.offset;
    this.json = new JsonBalance();
    this.json.feed(char);
  }

  /** The bracket is closed; an answer, or a call without a label, depends on the rest of its line. */
  private closeCall(): void {
    const inside = this.balance.candidate || this.balance.length;
    const lineIsOver = inside < this.balance.length;
    this.callEnd += inside;
    if (this.isFinish && !this.balance.filled) {
      // An empty answer may be followed by one under its own label.
      this.mode = 'lines';
    } else if (!this.isFinish && !this.bare) {
      this.finish(this.callEnd);
    } else {
      this.mode = 'after-call';
      this.rest = '';
      if (lineIsOver) this.settleCall();
    }
  }

  private settleCall(): void {
    if (this.bare && !BARE_REST.test(this.rest)) {
      this.rejectBare();
      return;
    }
    const extension = this.isFinish ? extendFinish('', this.rest) : undefined;
    this.finish(this.callEnd + (extension?.length ?? 0));
  }

  private settleJson(end: number): void {
    if (!this.bare || readBareObject(this.text.slice(this.bodyFrom, end), this.names)) this.finish(end);
    else this.rejectBare();
  }

  /** What looked like an action is part of the text around it. */
  private rejectBare(): void {
    this.sections.pop();
    this.mode = 'lines';
    this.leadFrom = undefined;
  }

  private onTag(kind: TagKind): void {
    const { mode } = this;
    const { at } = this.tags;
    const next = this.offset + 1;
    if (mode === 'think') {
      if (kind === 'think-close' || kind === 'part-end') this.leaveThink(at, next);
      else if (kind === 'turn-end') {
        this.leaveThink(at, at);
        this.finish(at);
      }
    } else if (kind === 'think-close') {
      if (mode === 'lines' || mode === 'done') this.dropAllBefore(at, next);
    } else if (mode === 'done') {
      // Nothing else after the end can change it.
    } else if (kind === 'turn-end' || kind === 'part-end') this.finish(at);
    else if (mode === 'markup') {
      if (
        kind === 'markup-close' &&
        this.markupTries++ < MAX_MARKUP_TRIES &&
        readMarkup(this.text.slice(this.bodyFrom, next), this.names)
      ) {
        this.finish(next);
      }
    } else if (mode === 'lines') this.onTagInLines(kind, at, next);
  }

  private onTagInLines(kind: TagKind, at: number, next: number): void {
    const { label } = this.section;
    if (kind === 'section-close') {
      this.restartAt(next);
      return;
    }
    if (!this.isLineOpening(at, label)) return;
    if (kind === 'think-open') {
      this.swallow(at);
      this.mode = 'think';
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
      this.mode = 'markup';
      this.leadFrom = undefined;
      this.matching = false;
      this.bodyFrom = at;
    }
  }

  /** Nothing but marks stands before the tag on its line, or after its label. */
  private isLineOpening(tagAt: number, label: SectionLabel): boolean {
    if (tagAt - this.lineStart > RECENT) return false;
    const before = this.window.slice(this.lineStart, tagAt);
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
    this.holes.push({ from: this.thinkTag, to: next, reasoning: { from: this.thinkContent, to: tagAt } });
    this.mode = 'lines';
    this.restartAt(next);
  }

  /** A closing tag whose opening one was swallowed by a template: all before it was reasoning. */
  private dropAllBefore(tagAt: number, next: number): void {
    if (this.cut === undefined) this.swallow(tagAt);
    else this.live.skip(next);
    this.cut = undefined;
    this.mode = 'lines';
    this.holes = [{ from: 0, to: next, reasoning: { from: 0, to: tagAt } }];
    this.sections = [{ label: 'text', at: next, content: next }];
    this.labelInside = undefined;
    this.restartAt(next);
  }
}
