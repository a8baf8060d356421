import { BlockList, isIP } from 'node:net';

/** IPv4 that is not the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry */
const PRIVATE_V4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
`;
/** Within the global range 2000::/3: special, documentation, 6to4 and Teredo, which wrap an IPv4 address. */
const SPECIAL_V6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

function listOf(ranges: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges.trim().split(/\s+/)) {
    const [address = '', bits = ''] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const privateV4 = listOf(PRIVATE_V4, 'ipv4');
const globalV6 = listOf('2000::/3', 'ipv6');
const specialV6 = listOf(SPECIAL_V6, 'ipv6');
/** IPv4-mapped addresses and NAT64: the last 32 bits are an IPv4 address that is connected to. */
const wrapsV4 = listOf('::ffff:0:0/96 64:ff9b::/96', 'ipv6');

/** The IPv4 address in the last 32 bits. */
function wrapped(address: string): string {
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  // The WHATWG URL parser writes an IPv6 address in full canonical form, so its last two groups are the last 32 bits.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether an IP address is on the public internet: not private, loopback, link-local, metadata, shared, multicast or reserved. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 4) return !privateV4.check(bare, 'ipv4');
  if (family !== 6) return false;
  if (wrapsV4.check(bare, 'ipv6')) return isPublicAddress(wrapped(bare));
  return globalV6.check(bare, 'ipv6') && !specialV6.check(bare, 'ipv6');
}

/** Whether a setting opens this host: by name (`wiki.corp`), with a port (`127.0.0.1:8080`), or all under a name (`*.corp`). */
export function isAllowedHost(url: URL, allowHosts: readonly string[]): boolean {
  return allowHosts.some((allowed) => {
    const wanted = allowed.trim().toLowerCase();
    if (wanted.startsWith('*.')) return url.hostname.endsWith(wanted.slice(1));
    return wanted === url.hostname || wanted === url.host;
  });
}
