const HOUR_MS = 60 * 60 * 1_000;

export type LinkKind = 'start' | 'invite' | 'reset';

const LIFE_MS: Record<LinkKind, number> = {
  start: HOUR_MS,
  invite: 7 * 24 * HOUR_MS,
  reset: 24 * HOUR_MS,
};

/** Returns the time at which a link that is made now ends. */
export function findLinkEnd(kind: LinkKind, now: Date): Date {
  return new Date(now.getTime() + LIFE_MS[kind]);
}

/** Formats a link. A browser does not send the part after # to a server, so that no log has the token. */
export function formatLink(publicUrl: string, slug: string, kind: LinkKind, token: string): string {
  return `${publicUrl}/a/${slug}/${kind}#${token}`;
}
