import { DAY_MS, HOUR_MS } from '../../platform/text/index.ts';

export type LinkKind = 'start' | 'invite' | 'reset';

const LIFE_MS: Record<LinkKind, number> = {
  start: HOUR_MS,
  invite: 7 * DAY_MS,
  reset: DAY_MS,
};

/** Returns when a link that is made now expires. */
export function findLinkEnd(kind: LinkKind, now: Date): Date {
  return new Date(now.getTime() + LIFE_MS[kind]);
}

/** Formats a link. The token comes after #, which a browser does not send to a server, so no log has it. */
export function formatLink(publicUrl: string, slug: string, kind: LinkKind, token: string): string {
  return `${publicUrl}/a/${slug}/${kind}#${token}`;
}
