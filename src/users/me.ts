import { findRateLimits, type Principal, type CallerLimits } from '../access/index.ts';
import { describeAccount, lockAccount } from '../accounts/index.ts';
import type { Author } from '../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { presentPerson } from './people/present.ts';
import { planUser } from './rules.ts';
import type { Me, OwnPerson, Theme } from './schemas.ts';
import { findPerson, type StoredPerson } from './people/store.ts';
import { readUser, updateTheme } from './store.ts';
import { writePerson } from './write.ts';

/** Describes the caller of a request, and what they may do. */
export async function describeCaller(
  db: Queryable,
  principal: Principal,
  operatorsLimits: CallerLimits,
): Promise<Me> {
  const { accountId, actor, role, scopes, contacts, session } = principal;
  const [account, person] = await Promise.all([
    describeAccount(db, accountId),
    actor.type === 'user' ? findPerson(db, accountId, actor.id) : undefined,
  ]);
  return {
    // This request may have changed the name.
    actor: { ...actor, ...(person && { name: person.name }) },
    account: { id: accountId, ...account },
    user: person === undefined ? null : presentOwn(person),
    role,
    scopes: [...scopes],
    contacts,
    rateLimits: findRateLimits(principal, operatorsLimits),
    session: session && {
      id: session.id,
      createdAt: session.createdAt.toISOString(),
      confirmedAt: session.confirmedAt?.toISOString() ?? null,
      expiresAt: session.expiresAt.toISOString(),
      needsSecondStep: session.needsSecondStep,
    },
  };
}

function presentOwn(person: StoredPerson): OwnPerson {
  return { ...presentPerson(person), theme: person.theme };
}

/** Changes what a person may change about themselves. */
export async function changeSelf(
  db: Pool,
  { accountId, actor }: Principal,
  { name, theme }: { name?: string; theme?: Theme },
  author: Author,
): Promise<void> {
  const now = new Date();
  await runInTransaction(db, async (tx) => {
    // Lock the account before the person, as every other change of a person does.
    if (name !== undefined) await lockAccount(tx, accountId);
    if (theme !== undefined) await updateTheme(tx, accountId, actor.id, theme);
    if (name === undefined) return;
    const stored = await readUser(tx, accountId, actor.id);
    const { row, change } = planUser(stored, actor.id, { name });
    if (change !== 'updated') return;
    await writePerson(tx, accountId, { author, stored, row }, now);
  });
}
