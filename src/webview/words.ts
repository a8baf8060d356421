import type { Usage } from '../agent/event';

/** Says things in VS Code's display language. Keys are the English texts; a missing translation is shown in English. */
export class Words {
  private readonly plurals: Intl.PluralRules;
  private readonly numbers: Intl.NumberFormat;
  private readonly dollars: Intl.NumberFormat;

  constructor(
    readonly language: string,
    private readonly strings: Record<string, string>,
  ) {
    const known = Intl.NumberFormat.supportedLocalesOf([language])[0] ?? 'en';
    this.plurals = new Intl.PluralRules(known);
    this.numbers = new Intl.NumberFormat(known);
    this.dollars = new Intl.NumberFormat(known, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
  }

  /** Fills `{0}`, `{1}`, … */
  t(english: string, ...values: (string | number)[]): string {
    const text = Object.hasOwn(this.strings, english) ? this.strings[english]! : english;
    return text.replace(/\{(\d+)\}/g, (whole, index) => {
      const value = values[Number(index)];
      return value === undefined ? whole : typeof value === 'number' ? this.numbers.format(value) : value;
    });
  }

  /** Chooses between two texts by the count, which fills `{0}`. */
  plural(count: number, one: string, other: string): string {
    return this.t(this.plurals.select(count) === 'one' ? one : other, count);
  }

  number(value: number): string {
    return this.numbers.format(value);
  }

  cost(dollars: number): string {
    return this.dollars.format(dollars);
  }

  /** Tokens, and what they cost where that is known. */
  used(usage: Usage, cost: number | undefined): string {
    const tokens = this.t('{0} tok', usage.prompt + usage.completion);
    return cost === undefined ? tokens : `${tokens} · ${this.cost(cost)}`;
  }

  /** A duration as short as it can be read: `2 ms`, `0.4 s`, `1 min 12 s`. */
  duration(ms: number): string {
    if (ms < 100) return this.t('{0} ms', Math.round(ms));
    if (ms < 59_950) return this.t('{0} s', Math.round(ms / 100) / 10);
    const seconds = Math.round(ms / 1000);
    return this.minutes(seconds);
  }

  /** The same in whole seconds, for a clock that runs. */
  clock(ms: number): string {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    return seconds < 60 ? this.t('{0} s', seconds) : this.minutes(seconds);
  }

  private minutes(seconds: number): string {
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return this.t('{0} min {1} s', minutes, seconds % 60);
    return this.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
  }
}
