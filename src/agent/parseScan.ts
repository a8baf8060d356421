import { Balance, JsonBalance, OPENERS } from './parseBalance';
import { actionOfObject, closesAtOnce, extendFinish, opensCall, readAction } from './parseForms';
import { type Label, LabelMatcher } from './parseLabels';
import * as markup from './parseMarkup';
import type { Names } from './parseNames';
import { readTolerantJson } from './tolerantJson';

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

type Mode = 'lines' | 'call' | 'after-call' | 'json' | 'markup' | 'think' | 'done';

const MAX_LEAD = 200;
const MAX_TAG = 120;
/** How much of a line's end is remembered. */
const RECENT = 120;
/** More labels, or objects that are no actions, than any real reply has: beyond these, text is just text. */
const MAX_SECTIONS = 400;
const MAX_OBJECTS = 50;
const SPACE = new Set(' \t\r\n\u3000\u00a0');
/** How far a line is read past a bracket that may not be the last of its answer. */
const MAX_AFTER = 40;
const EXAMPLE =
  /(for example|for instance|e\.g\.?|such as|like (this|so)|examples?|例如|比如|譬如|示例|举例|如下)[^\n]{0,30}[:：]\s*$/i;
const JSON_LEAD = /^[\s>*_]*(?:[`~]{1,3}[a-z_]*\s*)?\[?\s*$/i;
const BARE_REST = /^[\s.。*_`"'”)]*$|^\s*[,，;；(（—–-]|^\s*(to|for|and|then|so|because)\b/i;
const SECTION_TAG = /^<\/(thought|thinking|action|tool|reasoning|answer|question|plan)>$/i;

/**
 * Splits a reply into sections while it streams, and decides where it ends: at the end of its first whole action, at an
 * Observation label, at an end token. Every decision depends on the text before it only, so that any chunking gives the same result.
 */
export class Scanner {
  /** Everything fed so far. */
  text = '';
  sections: Section[] = [{ label: 'text', at: 0, content: 0 }];
  /** Reasoning with its tags, and framing tokens: no part of the visible reply. */
  holes: { from: number; to: number; reasoning?: { from: number; to: number } }[] = [];
  /** The reply's end, once it is known. */
  cut: number | undefined;
  /** First label line inside a bracket that is still open. */
  labelInside: number | undefined;
  show = '';
  reasoning = '';

  private mode: Mode = 'lines';
  private offset = 0;
  private lineStart = 0;
  private readonly matcher = new LabelMatcher();
  private matching = true;
  private lead = '';
  private openers = 0;
  private recent = '';
  /** Nothing but white space stands on the line so far. */
  private blank = true;
  private objects = 0;
  private example: 'no' | 'line' | 'fence' = 'no';
  private tag = '';
  private tagAt = 0;
  private balance = new Balance('[');
  private json = new JsonBalance();
  private body = '';
  private bare = false;
  private isFinish = false;
  private callEnd = 0;
  private rest = '';
  private finalActionAt: number | undefined;
  private thinkFrom = { tag: 0, content: 0 };
  private thought = false;
  private markupTries = 0;
  private held = '';
  private heldFrom = 0;

  constructor(private readonly names: Names) {}

  feed(chunk: string): void {
    this.text += chunk;
    let at = 0;
    while (at < chunk.length) {
      const end = this.tag || this.held ? at : this.runEnd(chunk, at);
      if (end > at) {
        const run = chunk.slice(at, end);
        this.recent = run.length >= RECENT ? run.slice(-RECENT) : (this.recent + run).slice(-RECENT);
        this.blank &&= run.trim() === '';
        if (this.mode === 'json' || this.mode === 'markup') this.body += run;
        this.emit(run);
        this.offset += run.length;
        at = end;
      } else {
        this.step(chunk[at] as string);
        this.offset += 1;
        at += 1;
      }
    }
  }

  /** The stream is over: settles what was waiting for more. */
  end(): void {
    if (this.mode === 'lines' && this.matching && this.offset > this.lineStart) {
      const match = this.matcher.feed('\n');
      if (match !== 'maybe' && match !== 'no' && this.cut === undefined) this.onLabel(match);
    }
    if (this.mode === 'call' && this.balance.candidate) this.closeCall();
    if (this.mode === 'after-call') this.settleCall();
    if (this.mode === 'json' && this.bare) this.settleJson();
    if (this.mode === 'think') this.leaveThink(this.offset, this.offset);
  }

  get unclosed(): boolean {
    return this.mode === 'call' || this.mode === 'json';
  }

  private get label(): SectionLabel {
    return this.sections.at(-1)?.label ?? 'text';
  }

  /** Where a run of characters that end nothing ends: most of a reply is read in such runs. */
  private runEnd(chunk: string, from: number): number {
    const { mode, balance, json } = this;
    const quiet =
      mode === 'done' || mode === 'think' || (!this.matching && (mode !== 'lines' || this.lead.length > MAX_LEAD));
    if (!quiet || mode === 'after-call') return from;
    let at = from;
    for (; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      // Line end, <, [, ◁ may begin something; ] and } may end it.
      if (code === 10 || code === 60 || code === 9665 || (code === 91 && this.blank)) break;
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

  private emit(text: string): void {
    if (this.mode === 'think') this.reasoning += text;
    else if (this.mode !== 'done' && !this.hidden) this.show += text;
  }

  /** An Observation that the model put before everything else. */
  private get hidden(): boolean {
    return this.label === 'observation';
  }

  private step(char: string): void {
    if (this.held === '') this.heldFrom = this.offset;
    this.held += char;
    if (this.tag || char === '<' || char === '◁' || (char === '[' && this.blank)) this.advanceTag(char);
    if (this.mode !== 'done' && this.mode !== 'think') {
      const announced = this.matching && this.match(char);
      if (!announced && this.cut === undefined) this.content(char);
    }
    this.recent = this.recent.length > 4 * RECENT ? this.recent.slice(-RECENT) + char : this.recent + char;
    this.blank &&= SPACE.has(char);
    if (char === '\n') this.newLine();
    this.release();
  }

  /** Shows what no longer waits for a decision. */
  private release(): void {
    const waiting =
      this.cut ??
      Math.min(
        this.tag ? this.tagAt : Number.POSITIVE_INFINITY,
        this.matching && this.mode !== 'think' ? this.lineStart : Number.POSITIVE_INFINITY,
        this.mode === 'after-call' ? this.callEnd : Number.POSITIVE_INFINITY,
        this.mode === 'call' && this.balance.candidate
          ? this.callEnd + this.balance.candidate
          : Number.POSITIVE_INFINITY,
      );
    if (waiting === Number.POSITIVE_INFINITY) {
      this.emit(this.held);
      this.held = '';
      return;
    }
    if (waiting <= this.heldFrom && this.cut === undefined) return;
    const ready = waiting - this.heldFrom;
    if (ready >= this.held.length) {
      this.emit(this.held);
      this.held = '';
    } else {
      this.emitBeforeCut(this.held.slice(0, Math.max(0, ready)));
      this.held = this.cut === undefined ? this.held.slice(ready) : '';
      this.heldFrom = waiting;
    }
  }

  private emitBeforeCut(text: string): void {
    if (this.cut !== undefined && !this.hidden) this.show += text;
    else this.emit(text);
  }

  private finish(cut: number): void {
    this.cut = cut;
    this.release();
    this.mode = 'done';
  }

  private startSection(label: SectionLabel, at: number, content: number, weak = false): void {
    this.sections.push({ label, at, content, ...(weak && { weak }) });
    this.lead = '';
    this.openers = 0;
  }

  private newLine(): void {
    if (!this.blank) this.noteExample(this.recent.trim());
    this.recent = '';
    this.blank = true;
    this.lineStart = this.offset + 1;
    this.finalActionAt = undefined;
    this.matcher.reset();
    this.matching = this.mode !== 'think' && this.mode !== 'done';
    if (this.label !== 'action' && this.label !== 'input') {
      this.lead = '';
      this.openers = 0;
    }
  }

  /** An example is the line, or the fenced block, after one that announces it. */
  private noteExample(line: string): void {
    const fence = line.startsWith('```') || line.startsWith('~~~');
    if (this.example === 'fence') {
      if (fence) this.example = 'no';
    } else if (this.example === 'line' && fence) this.example = 'fence';
    else
      this.example = (line.endsWith(':') || line.endsWith('：')) && EXAMPLE.test(line.slice(-RECENT)) ? 'line' : 'no';
  }

  /** @returns true where the character completed a label and is part of it */
  private match(char: string): boolean {
    const match = this.matcher.feed(char);
    if (match === 'maybe') return false;
    this.matching = false;
    if (match === 'no') return false;
    const lines = this.mode === 'lines';
    this.onLabel(match);
    return lines && !this.matcher.overshoot;
  }

  private onLabel(label: Label): void {
    const content = this.matcher.overshoot ? this.offset : this.offset + 1;
    if (this.mode === 'call' || this.mode === 'after-call') {
      if (label === 'observation') this.finish(this.lineStart);
      else this.labelInside ??= this.lineStart;
      return;
    }
    if (this.mode === 'json' || this.mode === 'markup') {
      if (label === 'observation' && !this.matcher.quoted) this.finish(this.lineStart);
      return;
    }
    if (this.example !== 'no' && label !== 'observation' && label !== 'thought') return;
    if (this.sections.length > MAX_SECTIONS && label !== 'observation') return;
    const before = this.label;
    if (label === 'observation') {
      if (this.sections.length === 1 && !this.thought && this.isBlankBefore())
        this.startSection(label, this.lineStart, content);
      else this.finish(this.lineStart);
    } else if (before === 'input') {
      if (label === 'thought' || label === 'action' || label === 'final') this.finish(this.lineStart);
    } else if (before === 'final') {
      if (label === 'question' || label === 'thought') this.finish(this.lineStart);
      else if (label === 'action') {
        this.finalActionAt = this.lineStart;
        this.lead = '';
      }
    } else if (before === 'answer' && label === 'question') {
      this.finish(this.lineStart);
    } else if (before === 'action') {
      if (label === 'input') this.startSection(label, this.lineStart, content);
      else if (this.actionIsUsable()) this.finish(this.lineStart);
      else this.startSection(label, this.lineStart, content, this.matcher.weak);
    } else if (label !== 'input' && !(before === 'answer' && label === 'plan')) {
      this.startSection(label, this.lineStart, content, this.matcher.weak);
    }
  }

  private isBlankBefore(): boolean {
    return this.lineStart === 0 || this.text.slice(0, Math.min(this.lineStart, 1000)).trim() === '';
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
      this.body += char;
      if (this.json.feed(char)) this.settleJson();
    } else if (this.mode === 'markup') this.body += char;
  }

  private lineContent(char: string): void {
    const label = this.label;
    const inFinal = label === 'final' || label === 'answer';
    if (this.lead.length > MAX_LEAD || (inFinal && this.finalActionAt === undefined)) {
      this.lead = this.lead.padEnd(MAX_LEAD + 1);
      return;
    }
    if (this.example === 'no' && this.openers < 8 && OPENERS.has(char) && char !== '<') {
      this.openers += 1;
      if (this.opens(char, label)) return;
    }
    // The lead of a labelled section begins after the label.
    const section = this.sections.at(-1);
    if (section && this.offset >= section.content) this.lead += char;
    if (label !== 'action' && label !== 'input' && !inFinal && this.lead.length > 80)
      this.lead = this.lead.padEnd(MAX_LEAD + 1);
  }

  private opens(char: string, label: SectionLabel): boolean {
    if (label === 'input') {
      if (char !== '{' || !JSON_LEAD.test(this.lead)) return false;
      this.openJson(char, false);
      return true;
    }
    const labelled = label === 'action' || this.finalActionAt !== undefined;
    if (char === '{' && this.objects < MAX_OBJECTS && JSON_LEAD.test(this.lead) && this.finalActionAt === undefined) {
      if (!labelled) this.startSection('json', this.contentStart(), this.offset);
      this.openJson(char, !labelled);
      return true;
    }
    const tool = opensCall(this.lead, char, this.names, !labelled);
    if (tool === undefined || !closesAtOnce(this.lead, char)) return false;
    if (this.finalActionAt !== undefined) {
      this.finish(this.finalActionAt);
      return true;
    }
    if (!labelled) this.startSection('call', this.contentStart(), this.contentStart());
    this.mode = 'call';
    this.bare = !labelled;
    this.isFinish = this.names.isFinish(tool);
    this.balance = new Balance(char);
    this.callEnd = this.offset + 1;
    return true;
  }

  /** Where the line begins, or the text after the label on it. */
  private contentStart(): number {
    return Math.max(this.lineStart, this.sections.at(-1)?.content ?? 0);
  }

  private openJson(char: string, bare: boolean): void {
    this.mode = 'json';
    this.objects += 1;
    this.bare = bare;
    this.json = new JsonBalance();
    this.body = char;
    this.json.feed(char);
  }

  /** The bracket is closed; an answer or a call without a label depends on the rest of its line. */
  private closeCall(): void {
    const consumed = this.balance.candidate || this.balance.length;
    const over = this.balance.length - consumed;
    this.callEnd += consumed;
    if (this.isFinish && !this.balance.filled) {
      // An empty answer may be followed by one under its own label.
      this.mode = 'lines';
      return;
    }
    if (!this.isFinish && !this.bare) {
      this.finish(this.callEnd);
      return;
    }
    this.mode = 'after-call';
    this.rest = '';
    if (over > 0) this.settleCall();
  }

  private settleCall(): void {
    if (this.bare && !BARE_REST.test(this.rest)) {
      // A sentence that begins like a call.
      this.sections.pop();
      this.mode = 'lines';
      this.lead = ''.padEnd(MAX_LEAD + 1);
      return;
    }
    const extended = this.isFinish ? extendFinish('', this.rest) : undefined;
    this.finish(this.callEnd + (extended === undefined ? 0 : extended.length));
  }

  private settleJson(): void {
    if (!this.bare) {
      this.finish(this.offset + 1);
      return;
    }
    const json = readTolerantJson(this.body);
    const call = json && actionOfObject(json.value, this.names);
    const meant =
      call &&
      (this.names.isKnown(call.tool) || /["'](action|tool|tool_name|function)["']\s*:/.test(this.body.slice(0, 2000)));
    if (meant) {
      this.finish(Math.min(this.offset + 1, this.text.length));
      return;
    }
    this.sections.pop();
    this.mode = 'lines';
    this.lead = ''.padEnd(MAX_LEAD + 1);
  }

  private advanceTag(char: string): void {
    if (char === '<' || char === '◁' || (char === '[' && this.blank)) {
      const quoted = '`"\'“'.includes(this.recent.at(-1) ?? ' ');
      if (markup.beginsHeader(this.tag) && this.tag.length < MAX_TAG) this.tag += char;
      else if (!quoted) {
        this.tag = char;
        this.tagAt = this.offset;
      }
      return;
    }
    if (this.tag === '') return;
    this.tag += char;
    if (this.tag.length > MAX_TAG || char === '\n' || (this.tag.length === 2 && !/[\w/|｜]/.test(char))) {
      this.tag = '';
      return;
    }
    if (char !== '>' && char !== ']' && char !== '▷') return;
    const tag = this.tag;
    if (markup.beginsHeader(tag) && !markup.endsHeader(tag)) return;
    this.tag = '';
    this.onTag(tag);
  }

  private onTag(tag: string): void {
    const next = this.offset + 1;
    if (this.mode === 'think') {
      if (markup.THINK_CLOSE.has(tag)) this.leaveThink(this.tagAt, next);
      else if (markup.END_TOKENS.has(tag)) {
        this.leaveThink(this.tagAt, this.tagAt);
        this.finish(this.tagAt);
      }
      return;
    }
    if (markup.THINK_CLOSE.has(tag) && tag !== '<|end|>') {
      if (this.mode === 'lines' || this.mode === 'done') this.dropAllBefore(this.tagAt, next);
      return;
    }
    if (this.mode === 'done') return;
    if (markup.END_TOKENS.has(tag)) {
      this.finish(this.tagAt);
    } else if (this.mode === 'markup') {
      if (markup.closesMarkup(tag) && this.markupTries < 8) {
        this.markupTries += 1;
        if (markup.readMarkup(`${this.body}>`, this.names)) this.finish(next);
      }
    } else if (this.mode === 'lines' || this.mode === 'json') {
      this.onTagInLines(tag, next);
    }
  }

  private onTagInLines(tag: string, next: number): void {
    if (this.mode === 'json') return;
    const label = this.label;
    const opening = this.isLineOpening(label);
    if (markup.opensThink(tag) && opening) {
      this.releaseBefore(this.tagAt);
      this.mode = 'think';
      this.matching = false;
      this.thinkFrom = { tag: this.tagAt, content: next };
      this.held = '';
    } else if (markup.opensMarkup(tag) && opening && label !== 'final' && label !== 'answer') {
      this.startSection('markup', this.tagAt, this.tagAt);
      this.mode = 'markup';
      this.matching = false;
      this.body = tag.slice(0, -1);
    } else if (markup.isFrame(tag) && opening) {
      this.releaseBefore(this.tagAt);
      this.holes.push({ from: this.tagAt, to: next });
      this.held = '';
      this.restartLine(next);
    } else if (SECTION_TAG.test(tag)) {
      this.restartLine(next);
    }
  }

  /** Nothing but marks stands before the tag on its line or after its label. */
  private isLineOpening(label: SectionLabel): boolean {
    const before = this.text.length >= this.tagAt ? this.recent.slice(0, -(this.offset - this.tagAt) || undefined) : '';
    if (/^[\s>*_#-]*$/.test(before)) return true;
    return (label === 'action' || label === 'thought') && /^[^:：]{1,30}[:：][\s*_]*$/.test(before);
  }

  private releaseBefore(offset: number): void {
    const ready = this.held.slice(0, Math.max(0, offset - this.heldFrom));
    if (ready) this.emit(ready);
    this.held = '';
    this.heldFrom = offset;
  }

  /** What follows is read like the beginning of a line. */
  private restartLine(next: number): void {
    this.lineStart = next;
    this.recent = '';
    this.blank = true;
    this.lead = '';
    this.openers = 0;
    this.matcher.reset();
    this.matching = true;
  }

  private leaveThink(tagAt: number, next: number): void {
    const ready = this.held.slice(0, Math.max(0, tagAt - this.heldFrom));
    if (ready) this.emit(ready);
    this.held = '';
    this.holes.push({
      from: this.thinkFrom.tag,
      to: next,
      reasoning: { from: this.thinkFrom.content, to: tagAt },
    });
    this.thought = true;
    this.mode = 'lines';
    this.restartLine(next);
  }

  /** A closing tag whose opening one was swallowed by a template: all before it was reasoning. */
  private dropAllBefore(tagAt: number, next: number): void {
    if (this.mode === 'lines') this.releaseBefore(tagAt);
    this.cut = undefined;
    this.mode = 'lines';
    this.held = '';
    this.holes = [{ from: 0, to: next, reasoning: { from: 0, to: tagAt } }];
    this.sections = [{ label: 'text', at: next, content: next }];
    this.labelInside = undefined;
    this.thought = true;
    this.restartLine(next);
  }
}
