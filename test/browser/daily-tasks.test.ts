import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../support/people.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

/* The daily tasks of a sales team, by what a person reads on the screen: names, roles and texts. */

const { service, open } = await serveConsole();
const runCommand = promisify(execFile);

const LIST = `First name,Last name,Email
Tui,Sample,tui.sample@home.example
Kiri,Waaka,kiri.waaka@home.example
Hugh,Pryde,hugh.pryde at home.example
`;

for (const device of ['desktop', 'phone'] as const)
  test(
    `a day of a sales team is done by reading the screen, on a ${device}`,
    withBrowser,
    async (t) => {
      const person = await furnishAccount(service);
      const key = await service.key(person.slug, 'all');
      const { page } = await open(t, { person, device, path: `/a/${person.slug}/` });
      const press = (target: Locator) => (device === 'phone' ? target.tap() : target.click());
      const button = (name: string | RegExp, within: Page | Locator = page) =>
        within.getByRole('button', { name, exact: typeof name === 'string' });
      const title = (name: string | RegExp, on = page) =>
        on.getByRole('heading', { level: 1, name }).waitFor();
      const read = async (url: string) => (await service.send({ url: `/api/v1${url}`, key })).body;
      const findContact = async (q: string) =>
        (await read(`/contacts?q=${encodeURIComponent(q)}&include=links`)).data[0];
      const findUnit = async (name: string) =>
        (await read('/stock/units?limit=100')).data.find(
          (unit: { name: string }) => unit.name === name,
        );

      /** Opens a page by the navigation; on a phone some pages are behind More. */
      async function go(name: string, heading: string | RegExp = name): Promise<void> {
        await title(/./);
        const link = page.getByRole('link', { name: new RegExp(`^${name}`) });
        if (device === 'phone' && !['Home', 'Contacts', 'Pipeline', 'Stock'].includes(name))
          await press(page.getByRole('navigation').getByText('More'));
        await press(link.first());
        await title(heading);
      }

      await t.test('find a lead', async () => {
        await go('Contacts');
        await page.getByRole('searchbox').first().fill('Kaur 21');
        await page.getByText('1 contact', { exact: true }).first().waitFor();
        const row = page.getByRole('rowheader').filter({ hasText: 'Ana Kaur 21' });
        await press(row);
        await title('Ana Kaur 21');
      });

      await t.test('call it and note it', async () => {
        await press(page.getByRole('group', { name: 'Kind of activity' }).getByText('Call'));
        await page.getByLabel('About the call').fill('Wants to see Townhouse 1 on Saturday.');
        await page.getByLabel('Outcome').fill('Wants a viewing');
        await press(button('Save call'));
        await page.getByText('called · Wants a viewing').waitFor();
      });

      await t.test('move it on', async () => {
        await press(button('Stage: New'));
        await press(page.getByRole('menuitemradio', { name: 'Contacted' }));
        await until(async () => (await findContact('ana.21@')).stage === 'Contacted');
        await button('Stage: Contacted').waitFor();
      });

      await t.test('link a lot', async () => {
        await press(button('Link a project or unit'));
        await page.getByRole('combobox', { name: 'Project, unit or lot' }).fill('Townhouse 1');
        await press(page.getByRole('option', { name: /Townhouse 1/ }));
        await until(async () => (await findContact('ana.21@')).links.length > 0);
      });

      await t.test('change a price, and mark a lot sold', async () => {
        await go('Stock');
        await press(page.getByRole('rowheader', { name: 'Townhouse 1' }));
        const drawer = page.getByRole('dialog', { name: 'Townhouse 1' });
        await drawer.getByLabel('Price', { exact: true }).fill('812000');
        await drawer.getByLabel('Price', { exact: true }).press('Enter');
        await until(async () => (await findUnit('Townhouse 1')).price === 812_000);
        await drawer.getByRole('combobox', { name: 'Status' }).selectOption('Settled');
        await until(async () => (await findUnit('Townhouse 1')).status === 'Settled');
        await press(button('Close', drawer).first());
      });

      await t.test(
        'import the list of an open home, fix a refused row, and undo the import',
        async () => {
          await go('Import');
          const choosing = page.waitForEvent('filechooser');
          await press(page.getByText('Choose a file', { exact: true }));
          const buffer = Buffer.from(LIST);
          await (await choosing).setFiles({ name: 'open-home.csv', mimeType: 'text/csv', buffer });
          await press(button('Start the dry run'));
          await page.getByText('would be new').waitFor();
          await press(button('Import 3 rows'));
          await page.getByText('Why rows were refused').waitFor();
          const report = page.url();
          await press(page.getByRole('link', { name: /^Fix .*row/ }));
          await page.getByText('1 import', { exact: true }).waitFor();
          await press(page.getByRole('rowheader').first());
          await press(button('Fix and retry'));
          await page.getByRole('textbox', { name: 'Email' }).fill('hugh.pryde@home.example');
          await press(button('Import with these values'));
          await page.getByText('The lead went in.').waitFor();
          await page.goto(report);
          await press(button('Undo this import'));
          await press(button('Undo this import', page.getByRole('dialog')));
          await page.getByText(/The import is undone/).waitFor();
          assert.equal(await findContact('tui.sample@home.example'), undefined);
        },
      );

      await t.test('merge two people', async () => {
        await go('Duplicates');
        await press(
          page
            .getByRole('link', { name: /ana\.8@/ })
            .or(page.getByRole('button', { name: /ana\.8@/ }))
            .first(),
        );
        await page.getByText('This cannot be undone.').waitFor();
        await press(button('Merge 2 contacts'));
        await page
          .getByText(/^Merged into/)
          .first()
          .waitFor();
      });

      await t.test('invite a colleague, who joins in another browser', async () => {
        await go('Settings', /./);
        await press(page.getByRole('link', { name: 'People' }));
        await press(button('Invite a person'));
        await page.getByRole('textbox', { name: 'Name' }).fill('Tui Rangi');
        await page.getByRole('textbox', { name: 'Email' }).fill(`tui@${person.slug}.example`);
        await page.getByRole('radio', { name: 'Agent' }).check();
        await press(button('Invite'));
        const shown = page.getByRole('dialog', { name: 'Invitation for Tui Rangi' });
        const link = (await shown.getByText(/#offplan_link_/).innerText()).trim();
        await press(button('Done', shown));
        const { page: other } = await open(t, { path: link });
        await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await other.getByRole('button', { name: 'Join' }).click();
        await title('Home', other);
      });

      await t.test('make a key for the website, whose command works', async () => {
        await press(page.getByRole('link', { name: 'API keys' }));
        await press(button('Create a key'));
        await page.getByRole('textbox', { name: 'Name' }).fill('website');
        await page.getByRole('radio', { name: 'Website sends leads' }).check();
        await press(button('Create'));
        const shown = page.getByRole('dialog', { name: 'The key website' });
        const command = await shown.getByText(/^curl /).innerText();
        const { stdout } = await runCommand('sh', ['-c', `${command} --silent --fail`]);
        assert.equal(JSON.parse(stdout).action, 'created');
        await press(button('Done', shown));
      });
    },
  );
