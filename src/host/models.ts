import type { Llm } from '../agent/llm';
import type { Settings } from './settings';

/** A model that only the editor can make, for the providers of that kind; undefined for all others. */
export async function openModel(settings: Settings): Promise<Llm | undefined> {
  void settings;
  return undefined;
}
