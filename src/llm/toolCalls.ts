import type { ToolCall } from '../agent/event';
import { readTolerantJson } from '../agent/tolerantJson';
import { type Fields, parseJson, readObject, record, string } from './fields';
import { redact } from './redact';

/** Before a function's name, some models write where it comes from. */
const NAMESPACE = /^(functions?|tools?|default_api)[.:]/;

/**
 * Puts native function calls together from their fragments, which servers number, name and repeat in their own ways. Calls
 * are handed out in order, each once, and not changed any more.
 */
export class ToolCalls {
  private readonly calls: ToolCall[] = [];
  private readonly atIndex = new Map<number, ToolCall>();
  private readonly ids = new Set<string>();
  /** How many were handed out. */
  private given = 0;

  constructor(private readonly key?: string) {}

  get any(): boolean {
    return this.calls.length > 0;
  }

  /** All of them as text, to compare two broken replies. */
  get text(): string {
    return this.calls.map((call) => `\n${call.name} ${call.arguments}`).join('');
  }

  /** No call came to its end, and one broke off before. */
  get brokeOff(): boolean {
    const named = this.calls.filter((call) => call.name !== '');
    return named.length > 0 && named.every((call) => breaksOff(call.arguments));
  }

  /** @param position of the fragment in its list, which counts where it has no index */
  add(fragment: Fields, position: number): void {
    const part = record(fragment.function);
    const index = Number(fragment.index ?? Number.NaN);
    const key = Number.isInteger(index) ? index : position;
    const id = string(fragment.id);
    const name = string(part?.name);
    const written = record(part?.arguments) ? JSON.stringify(part?.arguments) : string(part?.arguments);
    let call = this.atIndex.get(key);
    if (!call || begins(call, { id, name, arguments: written })) {
      call = { id: '', name: '', arguments: '' };
      this.calls.push(call);
      this.atIndex.set(key, call);
    }
    // An object that is complete can't go on.
    if (isWhole(call.arguments)) return;
    call.id ||= id;
    if (name !== call.name) call.name += name;
    // An empty object stood in for what comes now.
    call.arguments = /^\{\s*\}$/.test(call.arguments) && written ? written : call.arguments + written;
  }

  /** The calls that are whole by now. Empty arguments may be filled yet. */
  ready(): ToolCall[] {
    const ready: ToolCall[] = [];
    for (let call = this.calls[this.given]; call && isWhole(call.arguments); call = this.calls[this.given]) {
      ready.push(this.give(call));
    }
    return ready;
  }

  /**
   * All others, once the reply has ended.
   * @param cut also the calls that break off
   */
  rest(cut: boolean): ToolCall[] {
    const rest: ToolCall[] = [];
    for (const call of this.calls.slice(this.given)) {
      const given = this.give(call);
      if (call.name !== '' && (cut || !breaksOff(call.arguments))) rest.push(given);
    }
    return rest;
  }

  private give(call: ToolCall): ToolCall {
    this.given++;
    // An id is shown and sent back as it is; one that holds the key must not be.
    const fit = call.id !== '' && !this.ids.has(call.id) && redact(call.id, this.key) === call.id;
    const id = fit ? call.id : newId();
    this.ids.add(id);
    return { id, name: call.name.replace(NAMESPACE, ''), arguments: call.arguments.trim() || '{}' };
  }
}

/** Whether a fragment begins another call, where its index does not tell. */
function begins(call: ToolCall, next: ToolCall): boolean {
  const whole = isWhole(call.arguments);
  // Some servers number every call 0, and tell them apart by id only; others give each fragment an id of its own.
  if (next.id !== '' && call.id !== '') return next.id !== call.id && (whole || next.name !== '');
  if (next.name === '' || call.arguments === '') return false;
  if (next.name !== call.name) return true;
  return whole && next.arguments !== '' && next.arguments !== call.arguments;
}

/** A JSON object with at least one member. */
function isWhole(text: string): boolean {
  return text.trimEnd().endsWith('}') && Object.keys(readObject(text) ?? {}).length > 0;
}

/** What the tolerant reader takes for no end of anything. */
const NO_END = '\0';

/** JSON that goes on where it ends. What is malformed but complete does not, nor what is no JSON at all. */
function breaksOff(written: string): boolean {
  const text = written.trim();
  if (!/^["{[]/.test(text) || parseJson(text) !== undefined) return false;
  if (text.startsWith('"')) return !/[^\\]"$/.test(text);
  const end = readTolerantJson(text + NO_END)?.end ?? Number.POSITIVE_INFINITY;
  return end > text.length && readTolerantJson(text) !== undefined;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** An id for a call that came without: nine letters and digits, the only form that all endpoints take back. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
