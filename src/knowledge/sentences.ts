/**
 * Cuts running text into sentences. Joined again they give the text, whitespace apart: nothing is lost or repeated.
 * @param language BCP 47 tag of the text, where known
 */
export function splitSentences(text: string, _language?: string): string[] {
  return text
    .split(/(?<=[.!?]["')\]”’]?)\s+(?=[\p{Lu}\d"“(])|(?<=[。！？][」』”’]?)\s*/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
