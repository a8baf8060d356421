import { askForModels } from './models';
import { ENDPOINT_PRESETS, type EndpointPreset } from './presets';

/** A model server on this machine, with the models it lists; whatever answers without a list is something else. */
export interface LocalServer {
  name: string;
  baseUrl: string;
  models: string[];
}

/** Milliseconds; a server on loopback answers much sooner. */
const PATIENCE_MS = 300;

/**
 * Asks the usual ports of this machine for their models, all at once. Only GET, only loopback, never with a key; meant to be
 * called when the person opens the list of models, and at no other time.
 * @throws the signal's reason
 */
export async function findLocalServers(
  signal: AbortSignal,
  presets: readonly EndpointPreset[] = ENDPOINT_PRESETS,
): Promise<LocalServer[]> {
  const asked = presets
    .filter((preset) => preset.localPort !== undefined)
    .map(async ({ name, localPort }): Promise<LocalServer | undefined> => {
      const baseUrl = `http://127.0.0.1:${localPort}/v1`;
      const list = await askForModels({ baseUrl }, baseUrl, signal, PATIENCE_MS);
      return list.kind === 'listed' ? { name, baseUrl, models: list.models } : undefined;
    });
  return (await Promise.all(asked)).filter((server) => server !== undefined);
}
