import type { Exporter } from './exporter';

/** The folded trace: question, steps, plan and end, for programs that don't want to fold events themselves. */
export const json: Exporter = {
  id: 'json',
  label: 'JSON',
  extension: '.json',
  write: ({ start, steps, plan, end }) =>
    `${JSON.stringify({ start, ...(plan ? { plan } : {}), steps, ...(end ? { end } : {}) }, undefined, 2)}\n`,
};
