import type * as vscode from 'vscode';
import { type FitStore, memoryFitStore } from '../llm/fit';

const KEY = 'reactAgent.learnt';

/** What endpoints taught us about their requests, kept across restarts. Never keys. */
export function learntStore(state: vscode.Memento): FitStore {
  const store = memoryFitStore(state.get<ReturnType<FitStore['list']>>(KEY) ?? []);
  const keep = () => void state.update(KEY, store.list());
  return {
    ...store,
    set(endpoint, model, fit) {
      store.set(endpoint, model, fit);
      keep();
    },
    forget(endpoint, model) {
      store.forget(endpoint, model);
      keep();
    },
    clear() {
      store.clear();
      keep();
    },
  };
}
