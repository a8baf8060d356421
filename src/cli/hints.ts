import type { Language } from '../agent/event';

/**
 * Where a hint sends its reader to a command or a setting of VS Code, and what a terminal has in its place: '' where it has
 * nothing. The first that fits a place wins, so the longer stand before the shorter.
 */
const PLACES: Record<Language, readonly (readonly [inVsCode: string, inTerminal: string])[]> = {
  en: [
    ['Enter one that begins with', 'Give one with --base-url that begins with'],
    ['with Set API Key', 'in the environment variable OPENAI_API_KEY'],
    ['Set the key again', 'Set OPENAI_API_KEY again'],
    ['Choose one with Select Model, or enter its name in the settings.', 'Add --model NAME.'],
    ['with Select Model', 'with --model NAME'],
    [' Test Connection finds the right path.', ''],
    [
      'Run Test Connection to see what this endpoint accepts, or choose another model.',
      'Check --base-url and --model.',
    ],
    [': run Test Connection.', '.'],
    [
      'install its certificate on this machine, and look at the settings http.proxy, http.systemCertificates and http.proxyStrictSSL.',
      'name the file of its certificate in the environment variable NODE_EXTRA_CA_CERTS.',
    ],
    ['Check the settings http.proxy and http.noProxy, and whether', 'Check whether'],
    [' For a slow one, raise the setting reactAgent.limits.stepSeconds.', ''],
    [', or raise the setting reactAgent.limits.stepSeconds for a slow model', ''],
    ['What was written so far is kept in the trace. ', ''],
    ['Describe it in the setting for sites, or choose another wiki.', 'Choose another wiki with --wiki.'],
  ],
  'zh-CN': [
    ['请填写以', '请用 --base-url 给出以'],
    ['请用“设置 API 密钥”命令为这个服务设置密钥。', '请在环境变量 OPENAI_API_KEY 中设置这个服务的密钥。'],
    ['并用“设置 API 密钥”命令保存密钥', '并把密钥放在环境变量 OPENAI_API_KEY 中'],
    ['请重新设置密钥', '请重新设置 OPENAI_API_KEY'],
    ['复制并设置密钥', '复制密钥，并设置 OPENAI_API_KEY'],
    ['请用“选择模型”命令选一个，或在设置中填写模型名称。', '请加上 --model 模型名称。'],
    ['请用“选择模型”命令另选一个', '请用 --model 另选一个'],
    ['“测试连接”命令可以找到正确的路径。', ''],
    ['请运行“测试连接”，看看这个服务接受什么，或换一个模型。', '请检查 --base-url 和 --model。'],
    ['，请运行“测试连接”。', '。'],
    [
      '请在本机安装它的证书，并检查 http.proxy、http.systemCertificates 和 http.proxyStrictSSL 设置',
      '请用环境变量 NODE_EXTRA_CA_CERTS 指定它的证书文件',
    ],
    ['请检查 http.proxy 和 http.noProxy 设置，以及代理是否需要登录。', '请检查代理是否需要登录。'],
    ['；如果模型较慢，可以调大设置 reactAgent.limits.stepSeconds', ''],
    ['如果模型较慢，可以调大设置 reactAgent.limits.stepSeconds。', ''],
    ['已写出的部分保留在轨迹中。', ''],
    ['请先在站点设置中描述它，或选择其他百科。', '请用 --wiki 选择其他百科。'],
  ],
};

/** A hint as a terminal can follow it: events name VS Code's commands, whoever shows them. */
export function terminalHint(hint: string, language: Language): string {
  let text = hint;
  for (const [inVsCode, inTerminal] of PLACES[language]) text = text.replace(inVsCode, () => inTerminal);
  return text;
}
