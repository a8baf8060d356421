import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { estimateTokens } from '../agent/tokens';
import type { ErrorReport } from '../protocol';

/** Examples that would fill a small context window by themselves are refused. */
const MOST_TOKENS = 8000;

/**
 * The user's own worked examples, in the trace's notation: each begins with `Question:` (or 问题：) and ends with a Finish
 * action. No file: none, and ours are used.
 */
export async function readExamples(path: string): Promise<{ examples: string[] } | { problem: ErrorReport }> {
  if (!path.trim()) return { examples: [] };
  const file = path.trim().replace(/^~(?=[\\/])/, homedir());
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    return problem(vscode.l10n.t('The file with your examples could not be read ({0}): {1}', why, join(file)));
  }
  return checkExamples(text);
}

function checkExamples(text: string): { examples: string[] } | { problem: ErrorReport } {
  const examples = text
    .split(/^(?=\s*(?:Question|问题)\s*[:：])/m)
    .map((part) => part.trim())
    .filter(Boolean);
  for (const [index, example] of examples.entries()) {
    const action = /^Action\s*\d*\s*[:：]\s*\S+\[.*\]\s*$/m.test(example);
    const finish = /^Action\s*\d*\s*[:：]\s*Finish\[[\s\S]+\]\s*$/m.test(example);
    if (!/^(?:Question|问题)\s*[:：]/.test(example) || !action || !finish) {
      return problem(
        vscode.l10n.t(
          'Example {0} in your file is not in the notation: it needs Question:, Action lines, and Finish at the end.',
          index + 1,
        ),
      );
    }
  }
  const tokens = estimateTokens(text);
  if (tokens > MOST_TOKENS) {
    return problem(vscode.l10n.t('Your examples take about {0} tokens; {1} is the most.', tokens, MOST_TOKENS));
  }
  return { examples };
}

function problem(message: string): { problem: ErrorReport } {
  return {
    problem: { message, hint: vscode.l10n.t('Mend the file, or empty the setting for it.'), action: 'open-settings' },
  };
}
