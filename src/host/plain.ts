/**
 * A text from elsewhere (a model, a page, a server, a file) for one of VS Code's notifications, which would make a link of
 * `[label](command:…)` and run that command on a click: https://github.com/microsoft/vscode/blob/main/src/vs/base/common/linkedText.ts
 */
export const plain = (text: string): string => text.replace(/\](?=\()/g, '] ');
