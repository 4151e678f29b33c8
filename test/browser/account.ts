import type { Role } from '../../src/access/index.ts';
import { accountFile, PROJECT_ID } from '../support/accounts.ts';
import type { TestApp } from '../support/harness.ts';
import { addPerson, type TestPerson } from '../support/people.ts';

const STAGES = ['New', 'Contacted', 'Qualified', 'Viewing', 'Reserved', 'Settled', 'Lost'];
const STATUSES = ['Available', 'On Hold', 'Reserved', 'Unconditional', 'Settled'];

/** Makes an account in which each screen has something to show, and a person of this role. */
export async function furnishAccount(
  service: TestApp,
  { role = 'owner', contactCount = 30 }: { role?: Role; contactCount?: number } = {},
): Promise<TestPerson> {
  const person = await addPerson(service, { role });
  const file = accountFile(person.slug);
  const [project] = file.projects;
  const units = STATUSES.map((status, index) => ({
    name: `Townhouse ${index + 1}`,
    status,
    bedrooms: 2,
    price: 800_000 + index * 5_000,
    currency: 'NZD',
  }));
  await service.load({
    ...file,
    projects: [{ ...project, units }],
    contacts: Array.from({ length: contactCount }, (_, index) => ({
      // Each tenth contact has the email of the one before: a duplicate.
      email: `ana.${index - (index % 10 === 9 ? 1 : 0)}@leads.example`,
      firstName: 'Ana',
      lastName: `Kaur ${index}`,
      source: 'Website',
      stage: STAGES[index % STAGES.length],
      tags: index % 3 === 0 ? ['Investor'] : [],
    })),
  });
  await sendLeads(service, person.slug);
  return person;
}

/** Adds agents to an account: so many that a person is searched for, and not chosen from a list. */
export async function addAgents(service: TestApp, slug: string): Promise<void> {
  const users = Array.from({ length: 12 }, (_, index) => ({
    email: `agent.${index}@people.example`,
    name: `Agent ${index}`,
    role: 'agent',
  }));
  await service.load({ ...accountFile(slug), projects: [], users });
}

/** Sends a lead that goes in, and one that is refused. */
async function sendLeads(service: TestApp, slug: string): Promise<void> {
  const key = await service.key(slug, 'read-write');
  const lead = { firstName: 'Mere', source: 'Website', projectId: PROJECT_ID };
  for (const email of ['mere@leads.example', 'no email'])
    await service.send({
      method: 'POST',
      url: '/api/v1/contacts',
      key,
      payload: { ...lead, email },
    });
}
