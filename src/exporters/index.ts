import type { Exporter } from './exporter';
import { html } from './html';
import { json } from './json';
import { markdown } from './markdown';
import { otlp } from './otlp';

export type { Exporter, ExportOptions, Translate } from './exporter';
export { transcript } from './markdown';

/** The formats a trace can be written in. */
export const EXPORTERS: readonly Exporter[] = [markdown, html, json, otlp];
