/**
 * What an address is counted as: an IPv4 address as itself, an IPv6 one as its /64 network, of which one client
 * has them all.
 */
export function networkOf(address: string): string {
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
