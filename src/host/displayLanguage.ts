import * as vscode from 'vscode';
import type { Language } from '../agent/event';

/** The display language, for texts that stand in both languages in their module. */
export const displayLanguage = (): Language => (vscode.env.language.startsWith('zh') ? 'zh-CN' : 'en');
