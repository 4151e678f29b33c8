import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '../../platform/http/index.ts';
import { createFairQueue } from '../../platform/queue/index.ts';

const derive = promisify(argon2);

/** The parameters of argon2id: memory in KiB, passes, and threads. */
interface Cost {
  m: number;
  t: number;
  p: number;
}

/** The least that OWASP recommends. A weaker hash is replaced when its person signs in. */
const COST: Cost = { m: 19_456, t: 2, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Each hash takes 19 MiB and a core for some 30 ms. */
const HASHES = { slots: 2, slotsPerAccount: 2 };
const WAITING_MAX = 50;

const runFair = createFairQueue(HASHES);
let hashing = 0;

/** Runs argon2id when fewer than two others run. Throws a 503 when too many wait. */
async function hashInQueue(
  password: string,
  salt: Buffer,
  { m, t, p }: Cost,
  network: string,
): Promise<Buffer> {
  if (hashing >= HASHES.slots + WAITING_MAX)
    throw unavailable('Too many people are signing in just now. Send the request again.');
  hashing += 1;
  try {
    return await runFair(network, () =>
      derive('argon2id', {
        // Normalize, since keyboards write the same letter as different code points.
        message: password.normalize('NFC'),
        nonce: salt,
        memory: m,
        passes: t,
        parallelism: p,
        tagLength: HASH_BYTES,
      }),
    );
  } finally {
    hashing -= 1;
  }
}

/** Hashes a password to a text in the PHC format. Clients of one network share their part of the queue. */
export async function hashPassword(password: string, network: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await hashInQueue(password, salt, COST, network);
  const { m, t, p } = COST;
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${encode(salt)}$${encode(hash)}`;
}

/** Whether a password has this hash. Without a hash it takes as long, and returns false. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  network: string,
): Promise<boolean> {
  const { cost, salt, hash } = parse(stored) ?? NOBODY;
  const found = await hashInQueue(password, salt, cost, network);
  return timingSafeEqual(found, hash) && stored !== null;
}

/** Whether a hash is weaker than a new one would be. */
export function isOutdated(stored: string): boolean {
  const { m, t, p } = parse(stored)?.cost ?? NOBODY.cost;
  return m < COST.m || t < COST.t || p < COST.p;
}

const NOBODY = { cost: COST, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function parse(stored: string | null) {
  const [, m, t, p, salt = '', hash = ''] = PHC.exec(stored ?? '') ?? [];
  if (m === undefined) return null;
  const cost: Cost = { m: Number(m), t: Number(t), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
