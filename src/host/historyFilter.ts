import type { Label } from '../traces/labels';
import type { RunStatus, RunSummary } from '../traces/summary';

export interface HistoryFilter {
  /** Words that a question, a title or an answer must all hold; case does not matter. */
  search: string;
  /** Empty: all. */
  statuses: readonly RunStatus[];
  models: readonly string[];
  pinned: boolean;
  /** Only runs that were asked in one of these folders; undefined: all runs. */
  folders: readonly string[] | undefined;
}

export const NO_FILTER: HistoryFilter = { search: '', statuses: [], models: [], pinned: false, folders: undefined };

export function isFiltering({ search, statuses, models, pinned, folders }: HistoryFilter): boolean {
  return search.trim() !== '' || statuses.length + models.length > 0 || pinned || folders !== undefined;
}

/** True where the run is to be shown. Without a folder open, "this workspace" means the runs asked without one. */
export function matches(summary: RunSummary, label: Label, filter: HistoryFilter): boolean {
  if (filter.pinned && !label.pinned) return false;
  if (filter.statuses.length > 0 && !filter.statuses.includes(summary.status)) return false;
  if (filter.models.length > 0 && !filter.models.includes(summary.model)) return false;
  if (filter.folders) {
    const asked = label.folders ?? [];
    const here =
      filter.folders.length === 0 ? asked.length === 0 : asked.some((folder) => filter.folders?.includes(folder));
    if (!here) return false;
  }
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = `${label.title ?? ''}\n${summary.question}\n${summary.answer ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
