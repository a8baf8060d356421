/** An object whose members may be anything: what servers send is not to be relied on. */
export type Fields = Record<string, unknown>;

export const record = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** The objects in a list. */
export const records = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map(record).filter((each) => each !== undefined) : [];

export const string = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object that a JSON text holds; undefined for any other text. */
export const readObject = (text: string): Fields | undefined => record(parseJson(text));
