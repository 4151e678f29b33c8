import ipaddr from 'ipaddr.js';

const PUBLIC_IPV6: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('2000::/3');
const DOCUMENTATION_IPV6: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('3fff::/20');

/**
 * Whether an address belongs to the public internet (global unicast). Addresses of this machine, of private networks, of
 * documentation and those that carry an IPv4 address within an IPv6 address do not.
 */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return true;
  return address.match(PUBLIC_IPV6) && !address.match(DOCUMENTATION_IPV6);
}

/**
 * Explains why no webhook may be sent to a URL; null when one may. A host that is an IP address is judged after the URL is
 * parsed, which turns spellings such as `127.1` and `0x7f000001` into `127.0.0.1`. `lookUpPublic` judges names at each
 * connection.
 */
export function checkAddress(
  url: string,
  { allowPrivate }: { allowPrivate: boolean },
): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return 'must be a URL, such as https://example.com/hooks';
  const { protocol, username, password, hostname, port } = parsed;
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:'))
    return allowPrivate ? 'must begin with https:// or http://' : 'must begin with https://';
  if (username !== '' || password !== '') return 'must not have a user name or a password';
  if (port === '0') return 'must not have the port 0';
  return allowPrivate || isPublicHost(hostname)
    ? null
    : 'must be an address in the public internet';
}

function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(address)) return isPublicAddress(address);
  return !/(^|\.)localhost\.?$/.test(hostname);
}
