import type { CallerLimits } from '../access/index.ts';
import type { Pool } from '../platform/database/index.ts';
import type { SessionCache } from './sessions/look-up.ts';
import type { CountGuess } from './sign-in/attempts.ts';

/** The settings, stores and limits that the routes of people use. */
export interface PeopleOptions {
  db: Pool;
  /** The key that encrypts the secrets of second steps; null when the service has none. */
  secretKey: Buffer | null;
  sessions: SessionCache;
  countGuess: CountGuess;
  publicUrl: string;
  /** The operator's limits of requests, which GET /me shows. */
  rateLimits: CallerLimits;
}
