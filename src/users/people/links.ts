import { describeAccount, lockAccount } from '../../accounts/index.ts';
import { requireManageable, type Caller } from '../../access/index.ts';
import { OPERATOR } from '../../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { newId, toEmailKey } from '../../platform/text/index.ts';
import { formatLink } from '../links/rules.ts';
import { createLink, type PersonLink } from '../links/service.ts';
import { planUser } from '../rules.ts';
import { raiseVersion, readUserByEmail } from '../store.ts';
import { writePerson } from '../write.ts';
import { lockPerson, requireOtherOwner, requireRoomForPerson } from './requirements.ts';
import type { NewPerson, ShownLink } from './schemas.ts';

type PersonLinkKind = 'invite' | 'reset';

/** Makes a link by which a person chooses a password. A reset can also turn their second step off. */
export function makePersonLink(
  db: Pool,
  caller: Caller,
  { accountId, userId }: { accountId: string; userId: string },
  { kind, removeSecondStep = false }: { kind: PersonLinkKind; removeSecondStep?: boolean },
): Promise<PersonLink> {
  return runInTransaction(db, async (tx) => {
    const stored = await lockPerson(tx, accountId, userId);
    requireManageable(caller, stored.role);
    if (!stored.active) throw notActive();
    await raiseVersion(tx, accountId, stored.id);
    return createLink(tx, accountId, kind, stored.id, { removeSecondStep });
  });
}

/** Makes the invitation of a person. Adds a new person; a known one gets the role, and the name if it is given. */
export function invitePerson(
  db: Pool,
  accountId: string,
  { email, role, name }: Omit<NewPerson, 'name'> & { name?: string },
  { author } = OPERATOR,
): Promise<PersonLink> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const stored = await readUserByEmail(tx, accountId, toEmailKey(email));
    if (stored?.active === false) throw notActive();
    if (stored === undefined) await requireRoomForPerson(tx, accountId);
    if (stored?.role === 'owner' && role !== 'owner')
      await requireOtherOwner(tx, accountId, stored);
    const entry = stored
      ? { role, ...(name !== undefined && { name }) }
      : { email, role, name: name ?? email };
    const { row, change } = planUser(stored, stored?.id ?? newId(), entry);
    if (change !== 'unchanged') await writePerson(tx, accountId, { author, stored, row }, now);
    else await raiseVersion(tx, accountId, row.id);
    return createLink(tx, accountId, 'invite', row.id);
  });
}

/** Makes the link by which the person with this email chooses another password. Returns undefined for an unknown email. */
export async function resetPerson(
  db: Pool,
  accountId: string,
  email: string,
  { removeSecondStep = false } = {},
): Promise<PersonLink | undefined> {
  const { id: userId } = (await readUserByEmail(db, accountId, toEmailKey(email))) ?? {};
  if (userId === undefined) return undefined;
  return makePersonLink(db, null, { accountId, userId }, { kind: 'reset', removeSecondStep });
}

/** Presents a link with its token, which is shown once. */
export async function showLink(
  db: Queryable,
  accountId: string,
  { kind, token, expiresAt }: PersonLink & { kind: PersonLinkKind },
  publicUrl: string,
): Promise<ShownLink> {
  const { slug } = await describeAccount(db, accountId);
  return { url: formatLink(publicUrl, slug, kind, token), expiresAt: expiresAt.toISOString() };
}

function notActive(): Problem {
  const detail = 'The person is not active in this account.';
  return new Problem('invalid_transition', detail);
}
