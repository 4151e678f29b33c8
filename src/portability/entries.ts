/** An entry of a list of the file, and its index there. */
export interface Listed<Entry> {
  at: number;
  entry: Entry;
}

/** Lists the entries of a list that may be absent, without those that were left out for a fault. */
export function listEntries<Entry>(list: readonly Entry[] | undefined): Listed<Entry>[] {
  const listed: Listed<Entry>[] = [];
  for (const [at, entry] of (list ?? []).entries()) if (entry !== null) listed.push({ at, entry });
  return listed;
}
