import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountFile, PROJECT_ID } from '../support/accounts.ts';
import { importerOf } from '../support/contact-files.ts';
import { addPerson, browser, openSession, type TestPerson } from '../support/people.ts';
import { answering, startReceiver } from '../support/receiver.ts';
import { followAddress } from './check-page.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const SCRIPT = `"'><img src=x onerror=hacked()><script>hacked()</script>{{7*7}}`;
/** The name of a file has no slash: the service keeps what follows the last one. */
const FILE_NAME = `"'><img src=x onerror=hacked()>.csv`;
const CONTACT_ID = '0196a000-0000-7000-8000-0000000000c1';

const { service, open } = await serveConsole({
  webhookAllowPrivate: true,
  webhookScheduleMs: [0],
});

/** Makes an account in which every text is one that a careless page would run. */
async function makeHostileAccount() {
  const owner = await addPerson(service, { role: 'owner' });
  const file = accountFile(owner.slug);
  const [project] = file.projects;
  await service.load({
    ...file,
    account: {
      ...file.account,
      organization: { ...file.account.organization, displayName: SCRIPT, companyName: SCRIPT },
    },
    users: [{ email: owner.email, name: SCRIPT, role: 'owner' }],
    projects: [
      {
        ...project,
        name: SCRIPT,
        developmentDescription: SCRIPT,
        addressLine1: SCRIPT,
        cityName: SCRIPT,
        suburbName: SCRIPT,
        units: [{ name: SCRIPT, status: 'Available', priceDisplay: SCRIPT }],
      },
    ],
    contacts: ['one', 'two'].map((name, index) => ({
      ...(index === 0 && { id: CONTACT_ID }),
      email: 'ana@leads.example',
      firstName: SCRIPT,
      lastName: name,
      companyName: SCRIPT,
      mobilePhone: SCRIPT,
      budget: SCRIPT,
      notes: SCRIPT,
      source: 'Other',
      sourceExternalOriginalName: SCRIPT,
      referredBy: SCRIPT,
      stage: 'New',
      tags: [SCRIPT],
    })),
  });
  const importer = await importerOf(service, owner);
  const uploaded = await importer.uploadReady(`Email,${JSON.stringify(SCRIPT)}\nno email,x\n`, {
    name: FILE_NAME,
  });
  const lead = { email: SCRIPT, firstName: SCRIPT, notes: SCRIPT, source: SCRIPT };
  const website = await service.key(owner.slug, 'read-write');
  for (const email of [SCRIPT, 'mere@leads.example']) {
    const payload = { ...lead, email, projectId: PROJECT_ID };
    await service.send({ method: 'POST', url: '/api/v1/contacts', key: website, payload });
  }
  const send = browser(service, await openSession(service, owner));
  const key = { name: SCRIPT, scopes: ['stock:read'] };
  await send({ method: 'POST', url: '/api/v1/keys', payload: key });
  const change = { companyName: `${SCRIPT} Limited` };
  await send({ method: 'PATCH', url: `/api/v1/contacts/${CONTACT_ID}`, payload: change });
  await send({ method: 'POST', url: '/api/v1/tags', payload: { label: SCRIPT } });
  await service.send({
    method: 'POST',
    url: '/api/v1/views',
    key: await service.key(owner.slug, 'all'),
    payload: { name: SCRIPT, resource: 'contacts', shared: true },
  });
  return { owner, fileId: uploaded.id as string, webhookId: await addHostileWebhook(owner) };
}

/** Adds a webhook whose purpose and endpoint's answer are such texts. */
async function addHostileWebhook({ slug }: TestPerson): Promise<string> {
  const receiver = await startReceiver({ after });
  receiver.reply(answering(500, SCRIPT));
  const key = await service.key(slug, 'all');
  const post = (url: string, payload: object) =>
    service.send({ method: 'POST', url, key, payload });
  const { body } = await post('/api/v1/webhooks', {
    url: `${receiver.url}?${encodeURIComponent(SCRIPT)}`,
    types: ['unit.*'],
    description: SCRIPT,
  });
  await post(`/api/v1/webhooks/${body.id}/test`, {});
  return body.id as string;
}

const { owner, fileId, webhookId } = await makeHostileAccount();

/** The pages with texts of strangers. The last one is the drawer of the refused lead. */
const PAGES = [
  '/',
  '/contacts',
  `/contacts/${CONTACT_ID}`,
  '/pipeline',
  '/stock',
  '/stock/projects',
  `/stock/projects/${PROJECT_ID}?tab=details`,
  `/stock/projects/${PROJECT_ID}?tab=preview`,
  '/import',
  `/import/${fileId}`,
  '/duplicates',
  '/audit',
  '/settings/account',
  '/settings/people',
  '/settings/tags',
  '/settings/keys',
  '/settings/webhooks',
  `/settings/webhooks?webhook=${webhookId}`,
  '/profile',
  '/imports',
];

/** Whether a text is on the page, beside the navigation, or in a field of it. Runs in the browser. */
function findText(text: string): boolean {
  const page =
    document.querySelector<HTMLElement>('dialog[open]') ?? document.querySelector('main');
  const fields = page?.querySelectorAll<HTMLInputElement>('input, textarea') ?? [];
  return (
    page?.innerText.includes(text) === true || [...fields].some(({ value }) => value.includes(text))
  );
}

test(
  'a script in each field of a contact, project, tag, person, view, key, webhook and file stays text',
  withBrowser,
  async (t) => {
    const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/profile` });
    for (const path of PAGES)
      await t.test(path, async () => {
        await followAddress(page, `/a/${owner.slug}${path}`, /\w/);
        if (path === '/imports')
          await page.getByRole('grid').getByRole('rowheader').first().click();
        if (path.includes('?webhook=')) {
          await page.getByText('The answer').click();
          await page.locator('pre', { hasText: 'onerror' }).waitFor();
        }
        await page.waitForFunction(findText, path === '/import' ? FILE_NAME : SCRIPT);
        assert.equal(await page.locator('img[src=x], script:not([src])').count(), 0);
      });
  },
);
