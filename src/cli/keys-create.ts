import { issueKey } from '../keys/index.ts';
import type { Access } from '../access/index.ts';
import { parseDay, parseInstant, isBlank } from '../platform/text/index.ts';
import { findAccount } from './account.ts';
import { UsageError, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { print } from './output.ts';

export const keysCreate: Command = {
  usage: 'keys create ACCOUNT --access read|read-write --name N [--expires DATE]',
  summary: 'Makes an API key and prints it. It is shown this once.',
  options: {
    access: { type: 'string', help: 'What the key may do: read or read-write.' },
    name: { type: 'string', help: 'What the key is for, to tell it from others.' },
    expires: {
      type: 'string',
      help: 'When it ends: 2027-06-30 (the start of that day, UTC) or 2027-06-30T17:00:00+12:00.',
    },
  },
  async run({ words: [slug = ''], flags, config }) {
    const access = parseAccess(flags['access']);
    const name = parseName(flags['name']);
    const expiresAt = parseExpiry(flags['expires']);
    const key = await withDatabase(config, async ({ lookups: db }) =>
      issueKey(db, await findAccount(db, slug), { name, access, expiresAt }),
    );
    await print(`${key}\n`);
  },
};

const NAME_MAX_LENGTH = 100;

type Flag = string | boolean | undefined;

function parseAccess(flag: Flag): Access {
  if (flag === 'read' || flag === 'read-write') return flag;
  throw new UsageError('--access must be read or read-write');
}

function parseName(flag: Flag): string {
  const isName = typeof flag === 'string' && !isBlank(flag) && flag.isWellFormed();
  if (isName && flag.length <= NAME_MAX_LENGTH && !/\p{Cc}/u.test(flag)) return flag;
  throw new UsageError(
    `--name must say what the key is for, in at most ${NAME_MAX_LENGTH} characters on one line`,
  );
}

function parseExpiry(flag: Flag): Date | null {
  if (flag === undefined) return null;
  const text = String(flag);
  const atMs = parseDay(text) ?? parseInstant(text);
  if (atMs === null)
    throw new UsageError('--expires must be an ISO 8601 date or date-time, such as 2027-06-30');
  if (atMs <= Date.now()) throw new UsageError(`--expires must be in the future, not ${text}`);
  return new Date(atMs);
}
