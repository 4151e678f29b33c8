import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountFile, PROJECT_ID } from '../accounts.ts';
import { importerOf } from '../contact-files.ts';
import { addPerson } from '../people.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const SCRIPT = `"'><img src=x onerror=hacked()><script>hacked()</script>{{7*7}}`;
const CONTACT_ID = '0196a000-0000-7000-8000-0000000000c1';

const { service, enter } = await serveConsole();

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
    name: SCRIPT,
  });
  const lead = { email: SCRIPT, firstName: SCRIPT, notes: SCRIPT, source: SCRIPT };
  await importer.post('/contacts', lead);
  await service.send({
    method: 'POST',
    url: '/api/v1/views',
    key: await service.key(owner.slug, 'all'),
    payload: { name: SCRIPT, resource: 'contacts', shared: true },
  });
  return { owner, fileId: uploaded.id as string };
}

const { owner, fileId } = await makeHostileAccount();

/** Each page with texts of strangers, and whether it shows one. */
const PAGES: [path: string, showsIt?: boolean][] = [
  ['/', false],
  [`/contacts/${CONTACT_ID}`],
  ['/pipeline'],
  ['/stock'],
  ['/stock/projects'],
  [`/stock/projects/${PROJECT_ID}?tab=details`],
  [`/stock/projects/${PROJECT_ID}?tab=preview`],
  ['/import', false],
  [`/import/${fileId}`],
  ['/imports', false],
  ['/duplicates'],
  ['/audit', false],
  ['/settings/account'],
  ['/settings/people'],
  ['/settings/keys', false],
  ['/profile'],
];

/** Whether a text is on the page, beside the navigation, or in a field of it. Runs in the browser. */
function findText(text: string): boolean {
  const page = document.querySelector('main');
  const fields = page?.querySelectorAll<HTMLInputElement>('input, textarea') ?? [];
  return (
    page?.innerText.includes(text) === true || [...fields].some(({ value }) => value.includes(text))
  );
}

test(
  'a script in each field of a contact, project, tag, person, view and file stays text',
  withBrowser,
  async (t) => {
    const session = await enter(t, { person: owner });
    for (const [path, showsIt = true] of PAGES)
      await t.test(path, async (each) => {
        const { page } = await session.open(each, `/a/${owner.slug}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (showsIt) await page.waitForFunction(findText, SCRIPT);
        assert.equal(await page.locator('img[src=x], script:not([src])').count(), 0);
        await page.close();
      });
  },
);
