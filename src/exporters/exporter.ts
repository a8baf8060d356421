import type { Trace } from '../agent/trace';

/** Says an English text in the reader's language, with `{0}`, `{1}`, … filled in. */
export type Translate = (english: string, ...values: (string | number)[]) => string;

export interface ExportOptions {
  /** The reader's language, BCP 47: that of the editor, not of the run. */
  language: string;
  t: Translate;
  /** False: names, times and counts only, nothing that was asked, read or written. Only for formats that are sent away. */
  includeContent?: boolean;
  /** True while the run goes on: without an end it is not interrupted, only not there yet. */
  running?: boolean;
}

/** Writes a trace in another format. It takes nothing out: the trace it gets has been redacted. */
export interface Exporter {
  id: string;
  /** English; shown translated. */
  label: string;
  /** With its dot. */
  extension: string;
  write(trace: Trace, options: ExportOptions): string;
}

/** The texts as they are, for whoever reads English. */
export const inEnglish: Translate = (english, ...values) =>
  english.replace(/\{(\d+)\}/g, (whole, index) => String(values[Number(index)] ?? whole));
