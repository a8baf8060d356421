import type { DocumentReference, Language, SentenceSpan, ToolInput } from './event';

/** What a tool returns: text for the model, and the evidence in it. */
export interface ToolResult {
  /** Exactly what the model will read, already cut to size; every cut is visible and says how to go on. */
  text: string;
  /** False: a miss or an error that the text explains. Default true. */
  ok?: boolean;
  cached?: boolean;
  /** The network or the machine failed, not the input: the same action may be tried once more. */
  transient?: boolean;
  document?: DocumentReference;
  sentences?: SentenceSpan[];
  /** The text holds words from outside though no page was opened: a server's message, the sections of a page that lacks a word. */
  outside?: boolean;
  /** Exact titles that a Search may take instead; the loop guard proposes those not tried yet. */
  suggestions?: string[];
  /** Shown to the person as a notice of kind `security`. */
  warning?: string;
}

export interface ToolContext {
  /** Language of the run: observations come in it. */
  language: Language;
  question: string;
}

export interface Tool {
  /** As the model writes it: `Search`. */
  readonly name: string;
  /** Other names models use for it, compared without case, spaces and underscores. */
  readonly aliases?: readonly string[];
  /** What stands in the brackets: `entity`. Empty for a tool without an argument. */
  readonly argument: string;
  /** One line for the work manual, by language. */
  readonly description: Record<Language, string>;
  /** What stands in the brackets of the example, by language: `Ada Lovelace`. */
  readonly example: Record<Language, string>;
  /** True: the user is asked first. */
  readonly needsApproval?: boolean;
  /**
   * True when the same input may give something new each time (a Lookup moves on to its next hit). Then an equal action is a
   * repeat only if the last one was `ok: false` and no other page was opened since.
   */
  readonly advances?: boolean;
  /** True when a success opens a page for the tools that read the open page. */
  readonly opensPage?: boolean;
  /** Called instead of `run` when the loop answers a repeat from the trace: makes that earlier page the open one again. */
  reopen?(input: string): void;
  /**
   * @param input the string between the brackets, trimmed, or the tools protocol's single argument
   * @returns an observation; misses and bad input are observations with `ok: false`, not exceptions
   * @throws AbortError when `signal` aborts; anything else thrown becomes an observation that says the tool failed
   */
  run(input: string, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}

/** Tools by name. Finish is not a tool: it belongs to the loop. */
export type Toolbox = ReadonlyMap<string, Tool>;

const fold = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');

/** Finds a tool by its name or an alias, ignoring case, spaces and underscores. */
export function findTool(toolbox: Toolbox, name: string): Tool | undefined {
  const wanted = fold(name);
  for (const tool of toolbox.values()) {
    if (fold(tool.name) === wanted || tool.aliases?.some((alias) => fold(alias) === wanted)) return tool;
  }
  return undefined;
}

/** Builds a toolbox; a later tool with the same name is an error in our own wiring. */
export function makeToolbox(tools: readonly Tool[]): Toolbox {
  const toolbox = new Map<string, Tool>();
  for (const tool of tools) {
    if (toolbox.has(tool.name)) throw new Error(`Two tools are called ${tool.name}`);
    toolbox.set(tool.name, tool);
  }
  return toolbox;
}

/**
 * The text protocol's view of an input: a string, or the tools protocol's arguments joined.
 * @param argument the tool's own one: others that the model made up beside it count for nothing
 */
export function inputText(input: ToolInput, argument?: string): string {
  if (typeof input === 'string') return input;
  const values = Object.entries(input).filter(([key]) => key !== 'thought');
  if (values.length === 0) return '';
  const own = argument ? input[argument] : undefined;
  if (typeof own === 'string' || typeof own === 'number') return String(own);
  const only = values.length === 1 ? values[0]?.[1] : undefined;
  return typeof only === 'string' ? only : JSON.stringify(Object.fromEntries(values));
}
