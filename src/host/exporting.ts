/** What exports and transcripts need and nothing before them: bundled on its own, loaded when first used. */
export { EXPORTERS, transcript } from '../exporters';
export { redact } from '../traces/redact';
