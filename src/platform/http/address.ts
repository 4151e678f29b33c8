/**
 * What an address is counted as: an IPv4 address as itself (some proxies add a port), an IPv6 one as its /64 network, of
 * which one client has them all. A client that has gone already has none.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return '';
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1];
  if (withPort !== undefined) return withPort;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%', 1).join().split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array.from({ length: Math.max(8 - before.length - after.length, 0) }, () => 0);
  const groups = [...before, ...(tail === undefined ? [] : zeros), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}
