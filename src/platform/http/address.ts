import ipaddr from 'ipaddr.js';

/**
 * Returns the address that a client is counted by: an IPv4 address without its port, which some proxies add, or the /64 network
 * of an IPv6 address, since one client has all of it. A client that has left has no address.
 */
export function getNetwork(address: string | undefined): string {
  const text = address?.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1') ?? '';
  if (!ipaddr.isValid(text)) return text;
  const parsed = ipaddr.process(text);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
