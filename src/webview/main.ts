import type { ToWebview } from '../protocol';
import { type HostLine, View } from './view';

declare function acquireVsCodeApi(): HostLine;

const host = acquireVsCodeApi();
const view = new View(document.body, host);
window.addEventListener('message', (event: MessageEvent<ToWebview>) => view.receive(event.data));
// VS Code's own context key for the focused view misses a focus that begins inside a webview.
for (const event of ['focus', 'blur']) {
  window.addEventListener(event, () => host.postMessage({ type: 'focused', focused: event === 'focus' }));
}
host.postMessage({ type: 'ready' });
