/** The words and codes by which endpoints say no. Each wording stands with those it comes from. */

const anyOf = (...sources: string[]) => new RegExp(sources.join('|'), 'i');

/** The prompt is too long for the model. */
export const TOO_LONG = anyOf(
  'context[ _-]?(length|window|size|limit|overflow|shift)', // OpenAI, vLLM, llama.cpp, Anthropic, MiniMax
  'context the overflows', // LM Studio (its own spelling)
  '(prompt|input) (is )?too long', // Anthropic, Bedrock
  'prompt (has|contains) too many|too many (input )?tokens', // Bedrock, Cohere
  '(input|prompt|request)( token| length| tokens)?[^.]{0,40} exceed', // Gemini, Ollama
  'exceeds? (the )?token limit',
  'range of input length', // DashScope
  'reduce the (length|size|number) of', // OpenAI, Groq
  'maximum (number of )?(input )?tokens', // Gemini
  'tokens? (limit|count)[^.]{0,30}exceed|exceeded model token limit', // SGLang, Moonshot
  "exceeds? the (available|maximum|model'?s)[^.]{0,40}(context|tokens|length)",
  'maximum prompt length', // xAI
  'longer than the maximum model length', // vLLM: “The decoder prompt (length 9000) is …”
  '`inputs` (tokens \\+|must have less than)', // Text Generation Inference, Together
  'max length of current question', // Qianfan
  '上下文.{0,8}(长度|超)|输入.{0,6}(过长|超)|prompt ?超长', // DashScope, Zhipu
);
export const TOO_LONG_CODES = anyOf(
  'context_length',
  'exceed_context',
  'context_window',
  'string_above_max_length',
  'request_too_large',
  'tokens_exceeded',
  'tokens_limit_reached', // GitHub Models
  'tokens_too_long', // Qianfan
);
/** More than a whole minute's tokens in one request: OpenAI and Groq call it a rate limit, but no wait helps. */
export const TOO_LONG_FOR_A_MINUTE = /request too large/i;
/** Only the reply asked for is too long, not what was sent. */
export const ABOUT_OUTPUT = /max(imum)?[ _-]?(completion|output|new)?[ _-]?tokens/i;
export const ABOUT_INPUT = /\b(prompts?|messages?|inputs?|requests?)\b/i;

/** The account is empty. */
export const QUOTA_CODES = anyOf(
  'insufficient_(user_)?(quota|balance|credits?)', // OpenAI, DashScope, One API
  'exceeded_current_quota', // Moonshot
  'billing_(hard_limit|not_active)', // OpenAI
  'freetieronly|arrearage', // DashScope
  'budget_exceeded', // LiteLLM
);
export const QUOTA = anyOf(
  'insufficient[ _](account )?(quota|balance|credits?|funds)', // DeepSeek: “Insufficient Balance”
  'balance is (insufficient|too low)', // SiliconFlow, Anthropic
  'exceeded your current (token )?quota', // OpenAI as passed on by LiteLLM
  'quota[^.]{0,30}(exhausted|exceeded)',
  'out of credits|more credits', // OpenRouter
  'budget has been exceeded', // LiteLLM
  'billing (hard )?limit|payment required|daily (limit|quota)',
  '余额不足|欠费|额度(不足|失败|已?用[尽完])', // Zhipu, One API
);

export const RATE_CODES = anyOf(
  'rate_?limit', // OpenAI, Groq, Anthropic, GitHub Models
  'throttl', // DashScope, Bedrock
  'too_?many_?requests',
  'resource_exhausted', // Google
  'limit_requests', // DashScope
);
export const TOO_MANY = /too many requests|rate[ -]limit(ed)?\b/i;

export const FILTER_CODES =
  /content[ _-]?(filter|policy)|moderation|data_?inspection|responsibleai|sensitive|invalid_prompt/;
export const FILTERED = anyOf(
  'content[ _-](filter|management|policy|moderation)|requires moderation', // Azure, OpenRouter
  'inappropriate (content|input)', // DashScope
  'content exists risk|considered high risk', // DeepSeek, Moonshot
  '(was|were|been|is) flagged', // OpenAI
  'safety (system|polic)|sensitive (content|words)',
  '内容安全|敏感', // Zhipu
);

export const KEY_CODES =
  /invalid_api_key|api_key_invalid|auth(entication)?_error|unauthenticated|invalid_authentication/;
/** The key is wrong or missing, where the status does not say so. */
export const BAD_KEY = anyOf(
  '(incorrect|invalid|wrong|expired|missing|no) (api[-_ ]?key|authentication token)\\b', // xAI, LiteLLM, API Gateway
  'api[-_ ]?key[^.]{0,20}(not valid|invalid|incorrect|expired|missing|required|not found)', // Gemini
  'authentication (error|fail)', // Cloudflare, DeepSeek
  'login fail', // MiniMax
  '(令牌|密钥)[^。]{0,6}(无效|错误|不正确)|无效的(令牌|密钥)|鉴权失败', // One API, Qianfan
);
/** With a status that may mean a key or something else: a mention is enough. */
export const KEY = /api[-_ ]?key|unauthori[sz]ed|authentication|invalid[_ ]token|credential|no auth|bearer|密钥|鉴权/i;

/** The account or the place may not have this, though it exists. */
export const NO_ACCESS = anyOf(
  'matching your data policy|no allowed providers', // OpenRouter
  'location is not supported', // Gemini
  'requires terms acceptance', // Groq
);

export const NO_MODEL = anyOf(
  "\\bmodels?\\b[^.\\n]{0,120}?(not[ _](be )?(found|exist|available|supported|loaded)|does(n't| not)[ _]exist|unknown|invalid|decommissioned|no longer)",
  '(no such|unknown|invalid|unsupported|not a valid|not found[:,]?( the)?) model',
  'no models? (is |are )?loaded|try pulling it first', // LM Studio, Ollama
  'deployment.{0,60}not exist', // Azure
  'no endpoints? found for', // OpenRouter
  'unable to access model', // Together
  '^models?: \\S+$', // Anthropic
  '模型.{0,12}(不存在|未找到)', // Zhipu
);
/** Gateways that share out one API among many servers: One API. */
export const NO_CHANNEL = /no available channel|无可用渠道/i;
export const NO_MODEL_CODES = anyOf(
  'model_not_(found|exist|available|supported)',
  'deploymentnotfound',
  'model_decommissioned',
  'invalid_model',
  'modelnotfound',
);
/** Then it is the parameter that the model does not take. */
export const PARAMETER =
  /paramet|argument|\b(stop|stream\w*|temperature|top_p|tools?|function|penalty|\w*_penalty|max_\w*tokens|system|role|reasoning\w*|image)\b/i;

export const WRONG_PATH =
  /invalid url|unexpected endpoint|no (such )?route|cannot (post|get) |unknown (url|path|endpoint|request url)|page not found|no handler|url.{0,20}not found|method not allowed|^not found$|file not found|resource not found/i;

/** A model is being loaded: llama.cpp, Hugging Face, vLLM behind a gateway. */
export const LOADING = /\bloading\b|warming up|cold start|is starting|not (yet )?ready|正在加载/i;
export const SERVER = /overload|timeout|timed out|unavailable|internal|server_error|upstream|bad gateway/i;

/** A field or a message is refused, in English or Chinese. In other languages the name of a field that stands out has to do. */
export const NO =
  /unsupported|not (be )?(supported|permitted|allowed|recogni[sz]ed|valid|available|accepted|implemented|enabled|compatible|exist)|n['’]t (support|allow|accept|recogni|available)|(does|do|can|may|must) ?not|no (support|endpoint)|unknown|unrecogni[sz]ed|unexpected|extra (input|field|param|key)|invalid|illegal|forbid|deprecated|reject|only|disabled|incompatible|requires?|must|should|expected|too (many|long|large|high|low|small)|不支持|无效|不允许|未知|非法|不能|超出/i;
