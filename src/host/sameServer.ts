/**
 * True where a key for one base URL may go to another: the same host and port, and no step back from https:// to http://.
 * @param from as the user entered it, perhaps without `https://`
 */
export function isSameServer(from: string, to: string): boolean {
  const before = from.trim();
  const hasScheme = /^https?:\/\//i.test(before);
  const address = hasScheme ? before : `${/^https?:/i.exec(to)?.[0]}//${before}`;
  if (!URL.canParse(address) || !URL.canParse(to)) return false;
  const [one, other] = [new URL(address), new URL(to)];
  return one.host === other.host && (one.protocol === other.protocol || other.protocol === 'https:');
}
