import type { Requester } from '../events/index.ts';
import { requirePictures } from '../media/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { requireMatch, type IfMatch } from '../platform/http/index.ts';
import { requireSecretKey } from '../platform/secrets/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { listOrganizationEvents } from './events.ts';
import { presentOrganization } from './present.ts';
import { recordEvents } from './revision.ts';
import { planOrganization } from './rules.ts';
import { ShownFields, type OrganizationChanges, type ShownOrganization } from './schemas.ts';
import { clearStockClockCache, waitForStockCaches, tickStockClock } from './stock-clock.ts';
import {
  findOrganization,
  lockAccount,
  raiseOrganizationVersion,
  releaseSlug,
  reserveSlug,
  updateOrganization,
} from './store.ts';

/** Says that an account cannot get a slug, because another account has it. */
export class SlugTakenError extends Error {}

/** Changes the slug of an account. Its keys stay valid. Returns false when the account no longer has the old slug. */
export function renameAccount(
  db: Pool,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await releaseSlug(tx, accountId, from))) return false;
    if (!(await reserveSlug(tx, accountId, to))) throw new SlugTakenError();
    await raiseOrganizationVersion(tx, accountId);
    return true;
  });
}

interface OrganizationOptions {
  accountId: string;
  ifMatch: IfMatch;
  imageBases: ImageBases;
  /** The key that encrypts the secrets of second steps; null when the service has none. */
  secretKey: Buffer | null;
}

/** Changes the organization of an account. The stock clock ticks when the stock endpoints show the change. */
export async function changeOrganization(
  db: Pool,
  { author }: Requester,
  { accountId, ifMatch, imageBases, secretKey }: OrganizationOptions,
  changes: OrganizationChanges,
): Promise<ShownOrganization> {
  const { secondStepFor = 'nobody' } = changes;
  if (secondStepFor !== 'nobody') requireSecretKey(secretKey, 'The second step needs');
  const now = new Date();
  try {
    const changed = await runInTransaction(db, async (tx) => {
      await lockAccount(tx, accountId);
      const { slug, version, ...stored } = await findOrganization(tx, accountId);
      const present = () => presentOrganization({ accountId, slug, version, imageBases }, stored);
      requireMatch(ifMatch, present());
      const { row, change } = planOrganization(stored, changes);
      if (change === 'unchanged') return present();
      const { logoImage: key } = row;
      if (key !== null && key !== stored.logoImage)
        await requirePictures(tx, accountId, [{ pointer: '/logoImage/key', key }]);
      const events = listOrganizationEvents(accountId, stored, row);
      await recordEvents(tx, accountId, [{ author, events }], { now });
      const isShown = Object.keys(ShownFields).some(
        (field) => Reflect.get(row, field) !== Reflect.get(stored, field),
      );
      if (isShown) await tickStockClock(tx, accountId, 0, now);
      await updateOrganization(tx, accountId, row);
      return presentOrganization({ accountId, slug, version: version + 1, imageBases }, row);
    });
    await waitForStockCaches(db);
    return changed;
  } finally {
    clearStockClockCache(db);
  }
}

/** Creates the function that reads the organization for its events, as the API shows it, by the id of the account. */
export function createOrganizationReader(imageBases: ImageBases) {
  return async function readOrganizationObjects(
    db: Queryable,
    { accountId }: { accountId: string },
  ): Promise<Map<string, ShownOrganization>> {
    const { slug, version, ...organization } = await findOrganization(db, accountId);
    const account = { accountId, slug, version, imageBases };
    return new Map([[accountId, presentOrganization(account, organization)]]);
  };
}
