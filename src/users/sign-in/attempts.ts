import { createHash } from 'node:crypto';
import {
  Problem,
  type AttemptLimiters,
  type QuotaUse,
  type RateLimiter,
} from '../../platform/http/index.ts';
import { DAY_MS, toEmailKey } from '../../platform/text/index.ts';

const KNOWN_MS = 30 * DAY_MS;

/** An attempt to sign in, to confirm, or to use a link. */
interface Guess {
  network: string;
  /** Identifies the account and the person; null for the token of a link. */
  person: string | null;
  /** Whether the person has signed in from this network before. */
  isKnownNetwork: boolean;
}

/** Makes the text by which attempts on a person are counted. `account` is the id of an account, or an unknown slug. */
export function namePerson(account: string, email: string): string {
  return `${account}\n${toEmailKey(email)}`;
}

/**
 * Returns the time since which a person must have signed in from a network for it to be known. Wrong attempts from other networks
 * do not lock a person out of a known one.
 */
export function findKnownSince(now: Date): Date {
  return new Date(now.getTime() - KNOWN_MS);
}

/** Runs a check that throws when a guess is wrong. After too many wrong guesses it throws a 429 and does not run the check. */
export type CountGuess = <T>(guess: Guess, check: () => Promise<T>) => Promise<T>;

/**
 * Creates the function that limits guessing. It takes from the quotas before each check, so that parallel requests cannot exceed
 * them, and gives back after a right guess.
 */
export function createGuessCounter(limiters: AttemptLimiters): CountGuess {
  return async function countGuess(guess, check) {
    const taken: [RateLimiter, string][] = [];
    async function giveBack(): Promise<void> {
      for (const [limiter, client] of taken) await limiter.giveBack(client);
    }

    for (const [limiter, client] of listQuotas(limiters, guess)) {
      const use = await limiter.take(client, 1);
      if (use.isAllowed) taken.push([limiter, client]);
      else {
        await giveBack();
        throw tooManyAttempts(use);
      }
    }
    try {
      const result = await check();
      await giveBack();
      return result;
    } catch (error) {
      // An error of the service, or a 503, does not count as a wrong guess.
      if (!(error instanceof Problem) || !WRONG.has(error.code)) await giveBack();
      throw error;
    }
  };
}

const WRONG = new Set<string>(['sign_in_failed', 'link_not_valid']);

function listQuotas(
  { person, address, email }: AttemptLimiters,
  guess: Guess,
): [RateLimiter, string][] {
  const byAddress: [RateLimiter, string] = [address, guess.network];
  if (guess.person === null) return [byAddress];
  // Hash the name, since Redis may store it and it contains the email.
  const name = createHash('sha256').update(guess.person).digest('base64url');
  const ofPerson: [RateLimiter, string][] = [[person, `${name} ${guess.network}`], byAddress];
  return guess.isKnownNetwork ? ofPerson : [...ofPerson, [email, name]];
}

function tooManyAttempts({ resetMs }: QuotaUse): Problem {
  const seconds = Math.max(Math.ceil(resetMs / 1_000), 1);
  const detail = 'There were too many wrong attempts. Try again later.';
  return new Problem('too_many_attempts', detail, {
    headers: { 'retry-after': String(seconds) },
  });
}
