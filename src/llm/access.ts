import { normaliseEndpoint } from './endpoint';

/** What is needed to ask an endpoint anything at all. */
export interface EndpointAccess {
  baseUrl: string;
  key?: string;
  fetch?: typeof fetch;
}

/** What every request to an endpoint carries, whatever it asks for: headers with its key, and the query of its address. */
export function carriedBy({ baseUrl, key }: EndpointAccess): { headers: Record<string, string>; search: string } {
  const query = normaliseEndpoint(baseUrl)?.query ?? {};
  const search = new URLSearchParams(query).toString();
  return {
    headers: {
      'User-Agent': 'react-agent',
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      // Azure's own gateways take the key under this name.
      ...(key && 'api-version' in query ? { 'api-key': key } : {}),
    },
    search: search && `?${search}`,
  };
}
