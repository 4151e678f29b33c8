/** How the service handles a request with a doubtful part (RFC 7240, 4.4). */
export type Handling = 'strict' | 'lenient';

/** Reads `handling` from the Prefer header: the first value counts. Null when it is absent or unknown. */
export function readHandling(header: string | string[] | undefined): Handling | null {
  const preferences = [header ?? []].flat().join(',').split(',');
  const values = preferences.flatMap((each) => HANDLING.exec(each.trim())?.[1] ?? []);
  const value = values[0]?.toLowerCase();
  return value === 'strict' || value === 'lenient' ? value : null;
}

const HANDLING = /^handling\s*=\s*"?(\w*)"?\s*(?:;|$)/i;
