export interface PageParts {
  nonce: string;
  /** What a style or icon of ours may be loaded from, as the webview says it. */
  cspSource: string;
  scriptUri: string;
  styleUri: string;
  /** BCP 47. */
  language: string;
  title: string;
}

const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The trace view's document: one style sheet, one script, and no permission for anything else. */
export function page({ nonce, cspSource, scriptUri, styleUri, language, title }: PageParts): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource} 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${escapeText(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeText(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<link rel="stylesheet" nonce="${nonce}" href="${escapeText(styleUri)}">
</head>
<body>
<script nonce="${nonce}" src="${escapeText(scriptUri)}"></script>
</body>
</html>
`;
}
