import { Chanting } from './chanting';
import { Assembler, type ParsedReply } from './parseAssemble';
import { Names } from './parseNames';
import { Scanner } from './parseScan';

export type { ParsedReply, Problem, RepairKind } from './parseAssemble';

export interface ParseOptions {
  /** Names and aliases of the tools. */
  tools: readonly string[];
}

export interface Pushed {
  /** Text that certainly belongs to the visible reply. */
  show: string;
  reasoning: string;
  /** The stream can be cut: the action is whole, or an Observation label was reached. */
  complete: boolean;
  /** The model repeats itself without end. */
  chanting: boolean;
}

/** Reads one reply while it streams. Pure: the same text gives the same result in any chunking. */
export class ReplyParser {
  private readonly names: Names;
  private scanner: Scanner;
  private readonly repetition = new Chanting();

  constructor(options: ParseOptions) {
    this.names = new Names(options.tools);
    this.scanner = new Scanner(this.names);
  }

  push(text: string): Pushed {
    this.scanner.feed(text);
    if (!this.complete) this.repetition.feed(text);
    return { ...this.scanner.live.take(), complete: this.complete, chanting: this.repetition.found };
  }

  get complete(): boolean {
    return this.scanner.cut !== undefined;
  }

  /** The reply up to the cut, exactly as written. */
  get raw(): string {
    return this.scanner.text.slice(0, this.scanner.cut);
  }

  /** @param finishReason as the endpoint said it; `length` means that the reply was cut off */
  end(finishReason: string | null): ParsedReply {
    const wasOpen = this.scanner.unclosed;
    const wasComplete = this.complete;
    if (this.scanner.unclosedThought) {
      const { text } = this.scanner;
      this.scanner = new Scanner(this.names, false);
      this.scanner.feed(text);
    }
    this.scanner.end();
    const truncated = finishReason === 'length' && !wasComplete && (wasOpen || !this.complete);
    return new Assembler(this.scanner, this.names, truncated).assemble();
  }
}

/** Reads a whole reply at once. */
export function parseReply(text: string, options: ParseOptions, finishReason: string | null = null): ParsedReply {
  const parser = new ReplyParser(options);
  parser.push(text);
  return parser.end(finishReason);
}
