/** The members of a list by a key, in their order. */
export function groupBy<T>(all: T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const same = groups.get(key);
    if (same === undefined) groups.set(key, [each]);
    else same.push(each);
  }
  return groups;
}
