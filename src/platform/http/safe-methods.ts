/** The methods that change nothing. A browser sends OPTIONS as a preflight before a read of another origin's page. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
