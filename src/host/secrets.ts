import * as vscode from 'vscode';
import { normaliseEndpoint } from '../llm/endpoint';
import type { Log } from './log';

/** How long a secret store may take, in ms: a locked keyring can hang for ever. */
const PATIENCE = 5_000;
/** How long it is left alone after it failed, in ms. */
const REST = 60_000;

/**
 * API keys, one per endpoint, in SecretStorage alone. Where the store refuses or hangs, a key lives for this session only,
 * and that is said once.
 */
export class Keys {
  private readonly session = new Map<string, string>();
  private warned = false;
  /** After a failure the store isn't asked for a while: no question should wait for it each time. */
  private restsUntil = 0;
  private readonly watching: vscode.Disposable;

  private readonly changed = new vscode.EventEmitter<void>();
  /** A key was set or cleared, here or in another window. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly log: Log,
  ) {
    this.watching = secrets.onDidChange(() => this.changed.fire());
  }

  dispose(): void {
    this.watching.dispose();
    this.changed.dispose();
  }

  /** The key for an endpoint, if one was set. Never throws. */
  async get(endpoint: string): Promise<string | undefined> {
    const name = slot(endpoint);
    const kept = this.session.get(name);
    if (kept !== undefined) return kept;
    return this.attempt(() => this.secrets.get(name));
  }

  async set(endpoint: string, key: string): Promise<void> {
    const name = slot(endpoint);
    // For as long as this window lives the key works, whatever the store does.
    this.session.set(name, key);
    const stored = await this.attempt(async () => {
      await this.secrets.store(name, key);
      return 'stored';
    });
    if (stored) this.session.delete(name);
    this.changed.fire();
  }

  /** @returns false where the store refused, so that the key is still in it */
  async clear(endpoint: string): Promise<boolean> {
    this.session.delete(slot(endpoint));
    const cleared = await this.attempt(async () => {
      await this.secrets.delete(slot(endpoint));
      return true;
    });
    this.changed.fire();
    return cleared === true;
  }

  private async attempt<T>(work: () => PromiseLike<T>): Promise<T | undefined> {
    if (Date.now() < this.restsUntil) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), PATIENCE);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      this.restsUntil = Date.now() + REST;
      this.log.warn(`Secret storage failed: ${error instanceof Error ? error.message : error}`);
      if (!this.warned) {
        this.warned = true;
        void vscode.window.showWarningMessage(
          vscode.l10n.t(
            'The system’s secret storage does not work, so API keys are kept for this window only. Unlock or install a keyring to keep them.',
          ),
        );
      }
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** One slot an endpoint, however its address was pasted. */
function slot(endpoint: string): string {
  return `reactAgent.key:${normaliseEndpoint(endpoint)?.base ?? endpoint.trim()}`;
}
