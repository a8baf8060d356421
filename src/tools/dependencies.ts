import type { FetchOptions } from '../knowledge/guardedFetch';
import type { Reader } from '../knowledge/reader';
import type { KnowledgeSource } from '../knowledge/source';

/** What the tools of one run share. */
export interface ToolDependencies {
  /** Where Search looks. */
  source: KnowledgeSource;
  /** The open page. */
  reader: Reader;
  /** Bounds for Fetch, and hosts that a setting opened. */
  fetch?: FetchOptions;
  /** Where Npm looks. Default: the public registry. */
  packages?: KnowledgeSource;
}
