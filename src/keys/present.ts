import { listScopesOfKey } from '../access/index.ts';
import { formatEtag } from '../platform/http/index.ts';
import { findKeyStart } from './key-text.ts';
import type { Key } from './schemas.ts';
import type { DetailedKey } from './store.ts';

/** Presents a key as the API shows it. */
export function presentKey(accountId: string, key: DetailedKey): Key {
  const { id, name, access, lastFour, createdAt, rateLimits, version } = key;
  const { previousUntil, previousLastFour } = key;
  return {
    id,
    name,
    scopes: [...listScopesOfKey(key)],
    access,
    start: findKeyStart(accountId),
    lastFour,
    createdAt: createdAt.toISOString(),
    createdBy: presentCreator(key),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    rateLimits,
    previous: previousUntil && {
      lastFour: previousLastFour,
      validUntil: previousUntil.toISOString(),
    },
    etag: formatEtag(version),
  };
}

function presentCreator({ creator: { type, id }, creatorName }: DetailedKey) {
  return { type, id, name: type === 'system' ? 'offplan keys create' : (creatorName ?? '') };
}
