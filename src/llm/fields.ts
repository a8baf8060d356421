/** An object whose members may be anything: what servers send is not to be relied on. */
export type Fields = Record<string, unknown>;

export const record = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const string = (value: unknown): string => (typeof value === 'string' ? value : '');

export const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** The object that a JSON text holds; undefined for any other text. */
export function readObject(text: string): Fields | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}
