import * as vscode from 'vscode';

/** Forgets all cached pages. */
export async function clearPages(folder: string): Promise<void> {
  const uri = vscode.Uri.file(folder);
  await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: false }).then(undefined, (error: unknown) => {
    if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) throw error;
  });
  vscode.window.setStatusBarMessage(vscode.l10n.t('Cached pages cleared.'), 5000);
}
