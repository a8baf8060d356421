/** In lower case: servers write some of them in capitals. */
const THINK_OPEN = new Set([
  ...['<think>', '<thinking>', '<reasoning>', '<seed:think>', '[think]', '◁think▷', '<|begin_of_thought|>'],
]);
const THINK_CLOSE = new Set([
  ...['</think>', '</thinking>', '</reasoning>', '</seed:think>', '[/think]', '◁/think▷', '<|end_of_thought|>'],
]);
/** Tokens that end a model's turn, written out by servers that don't stop at them. */
const TURN_END = new Set([
  ...['<|eot_id|>', '<|im_end|>', '<|endoftext|>', '<|end_of_text|>', '<|eom_id|>', '<|return|>', '<|im_start|>'],
  ...['<|start_header_id|>', '<|user|>', '<|observation|>', '<|endofprompt|>', '<|END_OF_TURN_TOKEN|>'],
  ...['<end_of_turn>', '<start_of_turn>', '<eos>', '<｜end▁of▁sentence｜>', '<｜User｜>'],
]);
/** Tokens that only frame a reply. */
const FRAME = new Set([
  ...['<|message|>', '<|assistant|>', '<|begin_of_text|>', '<|end_header_id|>', '<s>', '<｜Assistant｜>'],
  ...['<|begin_of_solution|>', '<|end_of_solution|>'],
]);
const MARKUP_OPEN =
  /^(<(antml:|[|｜]DSML[|｜])?(tool_calls?|function_calls?|functioncall|invoke|tool_use|function)(\s+name\s*=[^>]*|=[^>\s]*)?>|<[|｜](tool[_▁]calls?([_▁]section)?([_▁]begin)?|python_tag|action_start)[|｜]>|\[TOOL_CALLS\])$/i;
const MARKUP_CLOSE =
  /^(<\/(antml:|[|｜]DSML[|｜])?(tool_call|function_call|functioncall|invoke|tool_use|function)>|<[|｜](tool[_▁]call[_▁]end|action_end|call)[|｜]>)$/i;
const SECTION_CLOSE = /^<\/(action|tool|answer|question|plan)>$/i;

export type TagKind =
  | 'think-open'
  | 'think-close'
  /** `<thought>`: reasoning to some models, the Thought of the step to others. */
  | 'thought-open'
  | 'thought-close'
  /** Ends a part: the reasoning where there is one, else the turn. */
  | 'part-end'
  | 'turn-end'
  | 'frame'
  | 'markup-open'
  | 'markup-close'
  | 'section-close';

/** What a tag or special token means in a reply; undefined for any other. */
export function tagKind(tag: string): TagKind | undefined {
  if (beginsHeader(tag)) {
    if (tag.includes('to=')) return 'markup-open';
    return tag.includes('<|channel|>analysis') ? 'think-open' : 'frame';
  }
  const lower = tag.toLowerCase();
  if (THINK_OPEN.has(lower)) return 'think-open';
  if (THINK_CLOSE.has(lower)) return 'think-close';
  if (lower === '<thought>') return 'thought-open';
  if (lower === '</thought>') return 'thought-close';
  if (tag === '<|end|>') return 'part-end';
  if (TURN_END.has(tag)) return 'turn-end';
  if (FRAME.has(tag)) return 'frame';
  if (MARKUP_OPEN.test(tag)) return 'markup-open';
  if (MARKUP_CLOSE.test(tag)) return 'markup-close';
  return SECTION_CLOSE.test(tag) ? 'section-close' : undefined;
}

/** Whether a reply begins with a tag of reasoning. */
export function beginsReasoning(text: string): boolean {
  const tag = /^\s*([<[◁][^>\]▷]{1,30}[>\]▷])/.exec(text)?.[1];
  return tag !== undefined && tagKind(tag) === 'think-open';
}

/** A header such as `<|start|>assistant<|channel|>analysis<|message|>` stands before each part of some models' replies. */
const beginsHeader = (tag: string) => tag.startsWith('<|start|>') || tag.startsWith('<|channel|>');

const MAX_TAG = 120;
const QUOTES = '`"\'“';

/** Whether a tag may go on with the character after `<`: a quick no for arithmetic and arrows. */
export const mayBeginTag = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 47 || code === 124 || code === 0xff5c;

/** The only tags in square brackets, which are common otherwise. */
const BRACKETED = ['[THINK]', '[/THINK]', '[TOOL_CALLS]'];

/** Finds tags and special tokens, one at a time, a character at a time. */
export class TagReader {
  /** Offset of the tag that is open. */
  at = 0;
  open = false;
  private opener = '';
  private length = 0;
  private header = false;

  /**
   * @param before the character before, since a quoted tag is only talked about
   * @param text reads the text between two offsets
   * @returns the tag, once it is whole
   */
  feed(char: string, offset: number, before: string, text: (from: number, to: number) => string): string | undefined {
    if (!this.header && (char === '<' || char === '◁' || (char === '[' && !this.open))) {
      this.open = before === '' || !QUOTES.includes(before);
      this.opener = char;
      this.at = offset;
      this.length = 1;
      return undefined;
    }
    if (!this.open) return undefined;
    this.length += 1;
    const isNone =
      this.opener === '['
        ? !BRACKETED.some((tag) => tag.startsWith(text(this.at, offset + 1).toUpperCase()))
        : this.length === 2 && this.opener === '<' && !mayBeginTag(char.charCodeAt(0));
    if (char === '\n' || this.length > MAX_TAG || isNone) {
      this.close();
      return undefined;
    }
    if (char !== '>' && char !== ']' && char !== '▷') return undefined;
    const tag = text(this.at, offset + 1);
    this.header = beginsHeader(tag) && !tag.endsWith('<|message|>');
    if (this.header) return undefined;
    this.close();
    return tag;
  }

  private close(): void {
    this.open = false;
    this.header = false;
  }
}
