import ipaddr from 'ipaddr.js';

/**
 * The address that a client is counted by: an IPv4 address as itself (some proxies add a port), an IPv6 address as its /64
 * network, which one client has as a whole. A client that is gone already has none.
 */
export function getNetwork(address: string | undefined): string {
  const text = address?.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1') ?? '';
  if (!ipaddr.isValid(text)) return text;
  const parsed = ipaddr.process(text);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
