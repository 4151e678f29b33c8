import { describeAccount, lockAccount } from '../../accounts/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { getNetwork, invalidRequest, Problem } from '../../platform/http/index.ts';
import {
  defineToken,
  hashToken,
  newId,
  parseEmail,
  toEmailKey,
} from '../../platform/text/index.ts';
import { hashPassword } from '../passwords/hash.ts';
import { refuseWeakPassword } from '../passwords/service.ts';
import { planUser } from '../rules.ts';
import { deleteSecondStep } from '../second-step/store.ts';
import type { Device } from '../sessions/service.ts';
import { deleteSessions } from '../sessions/store.ts';
import { completeSignIn } from '../sign-in/service.ts';
import { updatePassword } from '../sign-in/store.ts';
import { readUser, readUserByEmail } from '../store.ts';
import { writePerson } from '../write.ts';
import { findLinkEnd, type LinkKind } from './rules.ts';
import { findUsableLink, replaceLinks, deleteLink, type UsableLink } from './store.ts';

const { create: createLinkToken, readAccountId } = defineToken('offplan_link_', 20);

/** The token of a new link, and when the link expires. */
export interface PersonLink {
  token: string;
  expiresAt: Date;
}

/** Makes a link, and returns its token, which is shown once. The older links of the person become invalid. */
export async function createLink(
  tx: Queryable,
  accountId: string,
  kind: LinkKind,
  userId: string | null,
  { removeSecondStep = false } = {},
): Promise<PersonLink> {
  const now = new Date();
  const token = createLinkToken(accountId);
  const expiresAt = findLinkEnd(kind, now);
  const tokenSha256 = hashToken(token);
  const link = {
    id: newId(),
    kind,
    userId,
    removeSecondStep,
    tokenSha256,
    createdAt: now,
    expiresAt,
  };
  await replaceLinks(tx, accountId, link);
  return { token, expiresAt };
}

/** Finds the account and the link of a token. Throws a 404 unless the link is valid. */
async function findLink(
  db: Queryable,
  token: string,
): Promise<{ accountId: string; link: UsableLink }> {
  const accountId = readAccountId(token);
  const link =
    accountId === null
      ? undefined
      : await findUsableLink(db, accountId, hashToken(token), new Date());
  if (accountId === null || link === undefined) throw linkNotValid();
  return { accountId, link };
}

function linkNotValid(): Problem {
  const detail = 'The link is mistyped, was used, has expired, or was replaced by a newer one.';
  return new Problem('link_not_valid', detail);
}

/** Tells what a link is for. A link may be opened any number of times. */
export async function openLink(db: Queryable, token: string) {
  const { accountId, link } = await findLink(db, token);
  const { kind, email, name, expiresAt } = link;
  const { slug, displayName } = await describeAccount(db, accountId);
  return { kind, account: { slug, displayName }, email, name, expiresAt: expiresAt.toISOString() };
}

/** A link, and the fields that a person sends with it. */
export interface Acceptance {
  token: string;
  password?: string;
  email?: string;
  name?: string;
}

/** Uses up a link: gives the person the password that they chose and a session, and returns the token of the session. */
export async function acceptLink(
  db: Pool,
  acceptance: Acceptance,
  device: Device,
): Promise<string> {
  const { accountId, link } = await findLink(db, acceptance.token);
  const isDemo = link.kind === 'start' && link.userId !== null;
  const { email, name } = readPerson(acceptance, link);
  const hash = isDemo ? null : await hashNewPassword(acceptance.password, email, device);
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    // If two owners start an account at once, the second one finds the first.
    await lockAccount(tx, accountId);
    const current = await findUsableLink(tx, accountId, hashToken(acceptance.token), now);
    if (current === undefined || !(await deleteLink(tx, accountId, link.id))) throw linkNotValid();
    const userId = link.userId ?? (await makeOwner(tx, accountId, { email, name }, now));
    if (link.kind === 'invite' && acceptance.name !== undefined)
      await changeOwnPerson(tx, accountId, userId, { name: acceptance.name }, now);
    if (hash !== null) {
      await updatePassword(tx, accountId, userId, hash);
      await deleteSessions(tx, accountId, userId, null);
    }
    if (link.removeSecondStep) await deleteSecondStep(tx, accountId, userId);
    return completeSignIn(tx, accountId, userId, device, { now, isDemo });
  });
}

/** Reads the email and the name of the person, which a link that makes an owner needs. */
function readPerson(
  { email, name }: Acceptance,
  link: UsableLink,
): { email: string; name: string } {
  if (link.email !== null) return { email: link.email, name: link.name ?? '' };
  const address = parseEmail(email ?? '');
  const faults = [
    ...(address === null ? [required('email')] : []),
    ...(name === undefined ? [required('name')] : []),
  ];
  if (address === null || name === undefined) throw invalidRequest(faults);
  return { email: address, name };
}

async function hashNewPassword(
  password: string | undefined,
  email: string,
  { address }: Device,
): Promise<string> {
  if (password === undefined) throw invalidRequest([required('password')]);
  refuseWeakPassword(password, email);
  return hashPassword(password, getNetwork(address));
}

function required(field: string) {
  const detail = `${field} is required${field === 'email' ? ', and must be one email address' : ''}.`;
  return { pointer: `/${field}`, detail };
}

/** Makes the owner of an account: a new person, or the one who has the email. Returns the person's id. */
async function makeOwner(
  tx: Queryable,
  accountId: string,
  { email, name }: { email: string; name: string },
  now: Date,
): Promise<string> {
  const id = (await readUserByEmail(tx, accountId, toEmailKey(email)))?.id ?? newId();
  await changeOwnPerson(tx, accountId, id, { email, name, role: 'owner', active: true }, now);
  return id;
}

/** Creates or changes a person, as an act of the person. */
async function changeOwnPerson(
  tx: Queryable,
  accountId: string,
  id: string,
  entry: Parameters<typeof planUser>[2],
  now: Date,
): Promise<void> {
  const stored = await readUser(tx, accountId, id);
  const { row, change } = planUser(stored, id, entry);
  if (change === 'unchanged') return;
  const author = { actor: { type: 'user', id }, requestId: null } as const;
  await writePerson(tx, accountId, { author, stored, row }, now);
}
