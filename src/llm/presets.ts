import type { Language } from '../agent/event';

/** An endpoint that many people use, ready to be chosen. */
export interface EndpointPreset {
  id: string;
  name: string;
  /** Where Chinese readers know it by another name. */
  chineseName?: string;
  baseUrl: string;
  /** Where a key is issued; absent where none is needed. */
  keyUrl?: string;
  /** Where credit is added. */
  billingUrl?: string;
  /** Port on loopback, for servers that run on the user's machine. */
  localPort?: number;
}

/** Base URLs as their makers document them. */
export const ENDPOINT_PRESETS: readonly EndpointPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyUrl: 'https://platform.openai.com/api-keys',
    billingUrl: 'https://platform.openai.com/settings/organization/billing/overview',
  },
  {
    id: 'dashscope',
    name: 'DashScope (Qwen)',
    chineseName: '阿里云百炼 DashScope（通义千问）',
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    keyUrl: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    billingUrl: 'https://usercenter2.aliyun.com/home',
  },
  {
    id: 'dashscope-intl',
    name: 'DashScope (Qwen), Singapore',
    chineseName: '阿里云百炼 DashScope（通义千问），新加坡',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyUrl: 'https://modelstudio.console.alibabacloud.com/?tab=model#/api-key',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyUrl: 'https://platform.deepseek.com/api_keys',
    billingUrl: 'https://platform.deepseek.com/top_up',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/settings/keys',
    billingUrl: 'https://openrouter.ai/settings/credits',
  },
  { id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', localPort: 11434 },
  { id: 'lm-studio', name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', localPort: 1234 },
  { id: 'llama-cpp', name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', localPort: 8080 },
  { id: 'vllm', name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', localPort: 8000 },
];

/** What people call a preset in their language. */
export function presetName({ name, chineseName }: EndpointPreset, language: Language): string {
  return (language === 'zh-CN' && chineseName) || name;
}
