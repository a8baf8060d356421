import { parseJson } from './fields';

/** What an error body says, whatever its shape. */
export interface ErrorBody {
  /** The sentences in it, joined; a web page's title; else the text itself, shortened. */
  message: string;
  /** The message without the web addresses in it, whose words (`/settings/billing`) say nothing about the error. */
  words: string;
  /** Error codes and types, in lower case. */
  codes: string[];
  /** Body fields that it names outright (`param`, pydantic's `loc`): dotted paths without a leading `body`. */
  fields: string[];
  webPage: boolean;
}

const MESSAGE_KEYS =
  /^(message|msg|detail|error|error_description|error_msg|errormessage|status_msg|faultstring|reason|raw|description)$/i;
const CODE_KEYS = /^(code|type|__type|status|status_?code|http_code|error_type|error_code|errorcode|reason)$/i;
/** `loc` is pydantic's, `path` and `keys` are Zod's, `instancePath` and `additionalProperty` Ajv's. */
const FIELD_KEYS = /^(param|parameter|field|property|loc|instancePath|additionalProperty)$/i;
/** With a scheme, or a host's name with a path. */
const ADDRESS = /\b(?:[a-z][a-z+.-]*:\/\/|www\.|(?:[\w-]+\.)+[a-z]{2,}\/)[^\s"'”’<>)\]，。]*/gi;

/**
 * Reads an error body: OpenAI's `error` object, FastAPI's `detail`, lists, a JSON text inside a message (gateways that
 * pass on what another server said), vLLM's Python notation, XML, plain text, a web page.
 */
export function readErrorBody(text: string): ErrorBody {
  const body: ErrorBody = { message: '', words: '', codes: [], fields: [], webPage: false };
  const trimmed = text.trim();
  const xml = /^<\?xml\b/i.test(trimmed) && !/<html\b/i.test(trimmed);
  if (xml)
    body.message = trimmed
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 2000);
  else if (trimmed.startsWith('<')) {
    const title = /<title[^>]*>([^<]{1,160})/i.exec(trimmed)?.[1] ?? /<h1[^>]*>([^<]{1,160})/i.exec(trimmed)?.[1];
    body.message = (title ?? '').trim();
    body.webPage = true;
  } else readData(trimmed, body);
  body.words = body.message.replace(ADDRESS, '');
  return body;
}

function readData(text: string, body: ErrorBody): void {
  const messages: string[] = [];
  const walk = (value: unknown, key: string, depth: number): void => {
    if (depth > 6) return;
    if (Array.isArray(value)) {
      if (FIELD_KEYS.test(key) || key === 'path') return void addField(value.join('.'), body.fields);
      for (const inner of value.slice(0, 20)) {
        if (key === 'keys' && typeof inner === 'string') addField(inner, body.fields);
        else walk(inner, key, depth + 1);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) walk(inner, name, depth + 1);
    } else if (typeof value === 'string') {
      if (FIELD_KEYS.test(key)) return void addField(value, body.fields);
      if (CODE_KEYS.test(key)) body.codes.push(value.toLowerCase());
      // Google gives a code as the reason: API_KEY_INVALID.
      if (!MESSAGE_KEYS.test(key) || (key === 'reason' && /^\w+$/.test(value))) return;
      const inner = /^\s*[{[]/.test(value) ? parseJson(value) : undefined;
      if (inner !== undefined) return void walk(inner, key, depth + 1);
      if (value.trim() !== '' && !messages.includes(value)) messages.push(value);
    } else if (typeof value === 'number' && CODE_KEYS.test(key)) body.codes.push(String(value));
  };
  const data = parseJson(text);
  if (data === undefined || typeof data === 'string') messages.push(typeof data === 'string' ? data : text);
  else walk(data, 'error', 0);
  body.message = messages.join(' — ').slice(0, 2000) || text.slice(0, 400).replaceAll('\\"', '"');
  // Pydantic's errors, printed by Python: [{'type': 'extra_forbidden', 'loc': ('body', 'stop'), 'msg': …}]
  for (const [, path] of body.message.matchAll(/'loc': [([]([^)\]]*)[)\]]/g)) {
    addField([...(path ?? '').matchAll(/'([^']+)'|(\d+)/g)].map((part) => part[1] ?? part[2]).join('.'), body.fields);
  }
}

function addField(path: string, fields: string[]): void {
  const field = path
    .replace(/\[(\d+)\]/g, '.$1')
    .replace(/^\//, '')
    .replaceAll('/', '.')
    .replace(/^(body|parameters?|request|json)\./, '');
  if (field !== '' && field !== 'body' && !fields.includes(field)) fields.push(field);
}
