/**
 * Where an order can begin: at a line's or sentence's start, or after a courtesy. Not after an opening quote, "to", or a noun:
 * an encyclopedia reports orders ("told the model to ignore …", the phrase “ignore …”), it does not give them. A value of
 * indented JSON begins as well.
 */
const START =
  '(?:^|[\\n.!?:;)\\]】。！？：；*#>•¦—-]|\\n[ \\t]+"(?:[^"\\n]{0,60}":[ \\t]*")?)[ \\t]*(?:(?:please|now|also|then|important|urgent|attention|you must|you should|you have to|you will)[ ,:!]+){0,3}';
const START_ZH =
  '(?:^|[\\n.!?:;)】。！？：；，、*#>•])[ \\t]*(?:请|請|现在|現在|你必须|你必須|务必|務必|立即|立刻|从现在起|从现在开始|[，, ])*';

const EARLIER =
  '(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|system|safety|other|your|my|these|those)';
const TOLD =
  '(?:instructions?|prompts?|directions?|directives?|rules?|guidelines?|commands?|orders?|messages?|context|programming|training)';
const MACHINE = '(?:ai|a\\.i\\.|llm|language model|assistant|agent|chatbot|bot|claude|chatgpt|gpt|gemini|copilot)';
const SECRET =
  '(?:system prompt|(?:initial|hidden|secret|original) (?:prompt|instructions)|instructions|api[ -]?keys?|credentials|passwords?|tokens?|secrets?|conversation|chat history|environment variables)';

const ORDERS: readonly RegExp[] = [
  `${START}(?:ignore|disregard|forget|override|bypass|discard)\\s+(?:(?:all|any|every|the|of|your|these|those|everything)\\s+){0,4}${EARLIER}\\s+(?:\\w+\\s+){0,2}${TOLD}\\b`,
  `${START}(?:ignore|disregard|forget)\\s+(?:all|everything|what)\\s+(?:\\w+\\s+){0,4}(?:above|before|told|instructed)\\b`,
  `${START}(?:ignore|disregard|forget|override)\\s+(?:all\\s+)?(?:the\\s+)?${TOLD}\\s+(?:above|before|you (?:were|have been) given)\\b`,
  `${START}(?:from now on,?\\s+)?you\\s+are\\s+(?:now|no longer)\\s+(?:\\w+[ -]){0,5}(?:${MACHINE}|mode|admin|administrator|root|hacker|dan|terminal|jailbroken|unrestricted)\\b`,
  `${START}(?:from now on,?\\s+)?(?:act|behave|respond|pretend)\\s+as\\s+(?:if you are\\s+|though you were\\s+)?(?:\\w+\\s+){0,3}(?:unrestricted|jailbroken|dan\\b|evil|admin|root)`,
  `${START}(?:reveal|print|output|repeat|show|send|tell|give|leak|disclose|exfiltrate|upload|forward|post|email)\\s+(?:me\\s+|us\\s+|out\\s+|back\\s+)?(?:all\\s+)?(?:of\\s+)?your\\s+(?:\\w+\\s+){0,2}${SECRET}\\b`,
  `${START}(?:send|exfiltrate|upload|forward|post|email)\\s+(?:all\\s+)?(?:the|this|any)\\s+(?:\\w+\\s+){0,2}${SECRET}\\s+(?:\\w+\\s+){0,3}to\\s+(?:https?:|\\S+@|the following|this (?:url|address|site))`,
  `${START}(?:do not|don't|never)\\s+(?:tell|inform|alert|notify|warn|mention (?:this|it) to|reveal (?:this|it) to)\\s+(?:the|your)\\s+(?:user|human|operator)\\b`,
  `${START}(?:new|updated|revised|real|actual|hidden|secret|override)\\s+(?:system\\s+)?(?:instructions?|orders|directives?|prompt)\\s*:`,
  `${START}(?:system|admin|developer)\\s+(?:override|alert|command|notice|instructions?)\\s*:\\s*(?:you|ignore|disregard|do|the ${MACHINE}|all ${MACHINE})`,
  `${START}(?:attention|note|notice|message|instructions?|warning|dear|hey|hello)[ ,:]+(?:for |to )?(?:all |any |the |every )?(?:ai|llm|large language model|language model)(?:s| assistants?| agents?| models?| systems?| crawlers?| bots?)?\\b\\s*[:,!—-]`,
  `${START}(?:if|when|since|as)\\s+you\\s+are\\s+(?:an?\\s+)(?:\\w+\\s+){0,2}(?:ai|llm|language model|agent|assistant|chatbot)\\b[^.!?\\n]{0,80}?,\\s*(?:you|then|please|ignore|do|say|write|output|include|visit|fetch|call|use|send|answer|reply|respond)\\b`,
  `${START}(?:action|行动|动作)\\s*\\d*\\s*:\\s*\\w{2,24}\\s*[[【(]`,
  `<[|｜]?\\s*(?:im_start|start_header_id|start_of_turn)[^\\n]{0,6}(?:system|user|assistant|model)`,
  `${START_ZH}(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|抛开|拋開|不用管|跳过|覆盖)(?:掉|你|您|之前|以前|以上|上述|上面|先前|前面|此前|所有|全部|一切|任何|系统|系統|原有|收到|给你|的|这些|那些){1,8}(?:指令|指示|提示词?|提示詞|命令|规则|規則|要求|设定|設定|约束|限制|内容|內容)`,
  `${START_ZH}你(?:现在|現在|从现在起|已经|不再)(?:是|扮演|成为)[^。！？\\n]{0,20}(?:助手|助理|管理员|管理員|模型|AI|人工智能|机器人|機器人|黑客|代理|DAN|模式|限制)`,
  `${START_ZH}(?:输出|輸出|显示|顯示|透露|泄露|洩露|告诉我|告訴我|发送|發送|打印|重复|公开)(?:出|一下|所有|全部)*(?:你|您)的(?:全部|所有|完整)*(?:系统提示|系統提示|系统指令|提示词|提示詞|指令|密钥|密鑰|API|密码|密碼|令牌|对话|對話)`,
  `${START_ZH}(?:不要|不得|禁止|切勿|别)(?:告诉|告訴|告知|通知|提醒|警告)(?:用户|用戶|使用者)`,
  `${START_ZH}(?:新的?|最新|更新后的|真正的|隐藏)(?:系统|系統)?(?:指令|指示|命令)[:：]`,
  `${START}ignorier(?:e|en sie)\\s+(?:alle\\s+)?(?:bisherigen|vorherigen|obigen|früheren|vorigen)\\s+(?:\\w+\\s+)?(?:anweisungen|befehle|regeln)`,
  `${START}(?:ignora|olvida|descarta)\\s+(?:todas\\s+)?(?:las|tus)\\s+(?:instrucciones|órdenes|reglas)\\s+(?:anteriores|previas)`,
  `${START}(?:ignore|ignorez|oublie|oubliez)\\s+(?:toutes\\s+)?(?:les|tes|vos)\\s+(?:instructions|consignes|règles)\\s+(?:précédentes|antérieures|ci-dessus)`,
].map((source) => new RegExp(source, 'iu'));

/** Whether a text gives orders to whoever reads it as an agent: to drop its instructions, be another, leak, keep silent. */
export function givesOrders(text: string): boolean {
  return ORDERS.some((order) => order.test(text));
}
