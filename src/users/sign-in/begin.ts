import { getNetwork } from '../../platform/http/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { toEmailKey } from '../../platform/text/index.ts';
import { startSession, type Device } from '../sessions/service.ts';
import { markNetwork, markSignedIn } from './store.ts';

const KNOWN_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Returns the time since which a person must have signed in from a network for it to be known. Wrong attempts from other networks
 * do not lock a person out of a known one.
 */
export function findKnownSince(now: Date): Date {
  return new Date(now.getTime() - KNOWN_MS);
}

/** Makes the text by which attempts on a person are counted. `account` is the id of an account, or an unknown slug. */
export function namePerson(account: string, email: string): string {
  return `${account}\n${toEmailKey(email)}`;
}

/** Starts the session of a person who has proved who they are, and returns its token. */
export async function beginSession(
  tx: Queryable,
  accountId: string,
  userId: string,
  device: Device,
  options: { now: Date; isDemo: boolean },
): Promise<string> {
  const { now } = options;
  await markSignedIn(tx, accountId, userId, now);
  const network = getNetwork(device.address);
  await markNetwork(tx, accountId, userId, { network, now, since: findKnownSince(now) });
  return startSession(tx, accountId, userId, device, options);
}
