/** What an error body says, whatever its shape. */
export interface ErrorBody {
  /** The sentences in it, joined; a web page's title; else the text itself, shortened. */
  message: string;
  /** Error codes and types, in lower case. */
  codes: string[];
  /** Body fields that it names outright (`param`, pydantic's `loc`): dotted paths without a leading `body`. */
  fields: string[];
  webPage: boolean;
}

const MESSAGE_KEYS = /^(message|msg|detail|error|error_description|error_msg|errormessage|reason|raw|description)$/i;
const CODE_KEYS = /^(code|type|status|error_type|error_code|errorcode)$/i;
const FIELD_KEYS = /^(param|parameter|field|property|loc)$/i;

/**
 * Reads an error body: OpenAI's `error` object, FastAPI's `detail`, lists, a JSON text inside a message (gateways that
 * pass on what another server said), vLLM's Python notation, plain text, a web page.
 */
export function readErrorBody(text: string): ErrorBody {
  const body: ErrorBody = { message: '', codes: [], fields: [], webPage: false };
  const trimmed = text.trim();
  if (trimmed.startsWith('<')) {
    const title = /<title[^>]*>([^<]{1,160})/i.exec(trimmed)?.[1] ?? /<h1[^>]*>([^<]{1,160})/i.exec(trimmed)?.[1];
    return { ...body, message: (title ?? '').trim(), webPage: true };
  }
  const messages: string[] = [];
  const walk = (value: unknown, key: string, depth: number): void => {
    if (depth > 6) return;
    if (Array.isArray(value)) {
      if (FIELD_KEYS.test(key)) return void addField(value.join('.'), body.fields);
      for (const inner of value.slice(0, 20)) walk(inner, key, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) walk(inner, name, depth + 1);
    } else if (typeof value === 'string') {
      if (FIELD_KEYS.test(key)) return void addField(value, body.fields);
      if (CODE_KEYS.test(key)) body.codes.push(value.toLowerCase());
      if (!MESSAGE_KEYS.test(key)) return;
      const inner = /^\s*[{[]/.test(value) ? parse(value) : undefined;
      if (inner !== undefined) return void walk(inner, key, depth + 1);
      if (value.trim() !== '' && !messages.includes(value)) messages.push(value);
    } else if (typeof value === 'number' && CODE_KEYS.test(key)) body.codes.push(String(value));
  };
  const data = parse(trimmed);
  if (data === undefined || typeof data === 'string') messages.push(typeof data === 'string' ? data : trimmed);
  else walk(data, 'error', 0);
  body.message = messages.join(' — ').slice(0, 2000) || trimmed.slice(0, 400);
  // Pydantic's errors, printed by Python: [{'type': 'extra_forbidden', 'loc': ('body', 'stop'), 'msg': …}]
  for (const [, path] of body.message.matchAll(/'loc': [([]([^)\]]*)[)\]]/g)) {
    addField([...(path ?? '').matchAll(/'([^']+)'|(\d+)/g)].map((part) => part[1] ?? part[2]).join('.'), body.fields);
  }
  return body;
}

function addField(path: string, fields: string[]): void {
  const field = path.replace(/\[(\d+)\]/g, '.$1').replace(/^(body|parameters?|request|json)\./, '');
  if (field !== '' && field !== 'body' && !fields.includes(field)) fields.push(field);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
