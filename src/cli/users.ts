import { findAccountBySlug } from '../accounts/index.ts';
import type { Role } from '../access/index.ts';
import { deactivatePerson } from '../contacts/index.ts';
import { OPERATOR } from '../events/index.ts';
import type { Config } from '../platform/config/index.ts';
import type { Pool, Pools } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { parseEmail, toEmailKey } from '../platform/text/index.ts';
import {
  activatePerson,
  formatLink,
  invitePerson,
  listPeople,
  readUserByEmail,
  resetPerson,
} from '../users/index.ts';
import { CommandError } from './command-error.ts';
import { explainProblem } from './explain-problem.ts';
import { createNoAccountError, withAccount, withDatabase } from './database.ts';
import { formatTime, printJson, printSecret, printTable, say } from './output.ts';

/** Runs `offplan users list`. */
export async function printUsers(slug: string, { json }: { json?: true }): Promise<void> {
  const people = await withAccount(slug, ({ lists }, accountId) => listPeople(lists, accountId));
  if (json)
    return printJson(
      people.map(({ id, email, name, role, active, signedInAt, createdAt }) => ({
        id,
        email,
        name,
        role,
        active,
        signedInAt,
        createdAt,
      })),
    );
  await printTable(
    ['EMAIL', 'NAME', 'ROLE', 'ACTIVE', 'SIGNED IN', 'ID'],
    people.map(({ id, email, name, role, active, signedInAt }) => [
      email,
      name,
      role,
      active ? 'yes' : 'no',
      formatTime(signedInAt),
      id,
    ]),
  );
}

/** Runs `offplan users invite`. */
export async function inviteUser(
  slug: string,
  text: string,
  { role, name }: { role: Role; name?: string },
): Promise<void> {
  const email = parseEmail(text);
  if (email === null)
    throw new CommandError('the email is not one address, such as hana@example.com');
  const person = { email, role, ...(name !== undefined && { name }) };
  await withDatabase((pools, config) => printInvitation(pools, config, slug, person));
}

/** Prints the link by which a person of an account chooses a password. */
export async function printInvitation(
  pools: Pools,
  config: Config,
  slug: string,
  person: { email: string; role: Role; name?: string },
): Promise<void> {
  const { email } = person;
  await printLink(pools, config, { slug, email, kind: 'invite' }, (accountId) =>
    invitePerson(pools.lookups, accountId, person),
  );
}

/** Runs `offplan users reset`. */
export async function resetUser(
  slug: string,
  email: string,
  { removeSecondStep = false }: { removeSecondStep?: boolean },
): Promise<void> {
  await withDatabase((pools, config) =>
    printLink(pools, config, { slug, email, kind: 'reset' }, async (accountId) => {
      const link = await resetPerson(pools.lookups, accountId, email, { removeSecondStep });
      if (link === undefined) throw createNoPersonError(slug);
      return link;
    }),
  );
}

async function printLink(
  { lookups }: Pools,
  { publicUrl }: Config,
  { slug, email, kind }: { slug: string; email: string; kind: 'invite' | 'reset' },
  makeLink: (accountId: string) => Promise<{ token: string; expiresAt: Date }>,
): Promise<void> {
  const accountId = await findAccountBySlug(lookups, slug);
  if (accountId === undefined) throw createNoAccountError(slug);
  const { token, expiresAt } = await makeLink(accountId).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'invalid_transition') explainProblem(error);
    throw new CommandError(
      `the person is not active in this account; offplan users activate ${slug} ${email} lets them sign in again`,
    );
  });
  say(`Give this link to the person alone. It works once, until ${expiresAt.toISOString()}.`);
  const remedy = `Nobody has seen the link: offplan users reset ${slug} ${email} prints another`;
  await printSecret(formatLink(publicUrl, slug, kind, token), remedy);
}

/** Runs `offplan users deactivate`. */
export async function deactivateUser(slug: string, email: string): Promise<void> {
  await withAccount(slug, async ({ lookups }, accountId) => {
    const userId = await requirePerson(lookups, accountId, email, slug);
    const deactivation = { accountId, userId, reassignTo: null };
    await deactivatePerson(lookups, OPERATOR, deactivation).catch(explainProblem);
  });
  say('Deactivated. Their sessions have ended, and their contacts are assigned to nobody.');
}

/** Runs `offplan users activate`. */
export async function activateUser(slug: string, email: string): Promise<void> {
  await withAccount(slug, async ({ lookups }, accountId) => {
    const userId = await requirePerson(lookups, accountId, email, slug);
    const person = await activatePerson(lookups, OPERATOR, accountId, userId).catch(explainProblem);
    say(
      person.signedInAt === null
        ? `Activated. They have no password yet: offplan users reset ${slug} ${email} prints a link to choose one.`
        : 'Activated. They can sign in again.',
    );
  });
}

/** Finds the id of the person with this email. Throws a CommandError when there is none. */
async function requirePerson(
  db: Pool,
  accountId: string,
  email: string,
  slug: string,
): Promise<string> {
  const person = await readUserByEmail(db, accountId, toEmailKey(email));
  if (person === undefined) throw createNoPersonError(slug);
  return person.id;
}

function createNoPersonError(slug: string): CommandError {
  return new CommandError(
    `account "${slug}" has no person with this email; offplan users list ${slug} shows them`,
  );
}
