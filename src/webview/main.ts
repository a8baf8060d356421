import type { ToWebview } from '../protocol';
import { type HostLine, View } from './view';

declare function acquireVsCodeApi(): HostLine;

const host = acquireVsCodeApi();
const view = new View(document.body, host);
window.addEventListener('message', (event: MessageEvent<ToWebview>) => view.receive(event.data));
host.postMessage({ type: 'ready' });
