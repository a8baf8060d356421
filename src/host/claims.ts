import * as vscode from 'vscode';
import type { Log } from './log';

/**
 * Registers what another extension may have taken already: a fork of this one, an old name, a copy beside it. That is said
 * once, with the other one's name, and the rest works.
 */
export class Claims {
  private told = false;

  constructor(
    private readonly log: Log,
    private readonly own: string,
  ) {}

  /** @param id of the command, view or chat participant */
  take(id: string, register: () => vscode.Disposable | undefined): vscode.Disposable {
    try {
      return register() ?? new vscode.Disposable(() => {});
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      if (!this.told) void vscode.window.showWarningMessage(this.explain(id));
      this.told = true;
      return new vscode.Disposable(() => {});
    }
  }

  private explain(id: string): string {
    const other = vscode.extensions.all.find(
      (extension) =>
        extension.id !== this.own && JSON.stringify(extension.packageJSON.contributes ?? {}).includes(`"${id}"`),
    );
    return vscode.l10n.t(
      '“{0}” belongs to another extension already ({1}). Disable that one, then reload the window.',
      id,
      other?.id ?? vscode.l10n.t('name unknown'),
    );
  }
}
