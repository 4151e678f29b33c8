import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { addPerson } from '../support/people.ts';
import { until } from '../support/until.ts';
import { addAgents, furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import type { Device } from './looks.ts';

const { service, open } = await serveConsole();

/** Opens the board of an account of its own. `find` asks the API for a contact. */
async function openBoard(
  t: Parameters<typeof open>[0],
  role: 'owner' | 'agent' | 'viewer' = 'owner',
  device: Device = 'desktop',
) {
  const person = await furnishAccount(service, { role });
  const key = await service.key(person.slug, 'all');
  const { page } = await open(t, { person, device, path: `/a/${person.slug}/pipeline` });
  await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor();
  const column = (stage: string) => page.getByRole('group', { name: new RegExp(`^${stage},`) });
  const find = async (q: string) => {
    const url = `/api/v1/contacts?include=links&q=${encodeURIComponent(q)}`;
    const { body } = await service.send({ url, key });
    return body.data[0] as {
      id: string;
      etag: string;
      stage: string;
      buyerType: string | null;
      links: { unitId: string | null }[];
    };
  };
  async function moveCard(name: string, from: string, to: string): Promise<void> {
    await page.getByRole('button', { name: `Stage of ${name}: ${from}` }).click();
    await page.getByRole('menuitemradio', { name: to }).click();
    await column(to).getByText(name, { exact: true }).waitFor();
  }
  /** Holds each change of a contact back until the returned function is called. */
  async function holdSaves(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/contacts/*', async (route) => {
      if (route.request().method() === 'PATCH') await promise;
      await route.continue();
    });
    return resolve;
  }
  return { page, column, find, key, person, moveCard, holdSaves };
}

const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('a card is moved by the menu of its stage, and taken back by Undo', withBrowser, async (t) => {
  const { page, column, find } = await openBoard(t);
  await column('New').getByText('Ana Kaur 0', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stage of Ana Kaur 0: New' }).click();
  await page.getByRole('menuitemradio', { name: 'Qualified' }).click();
  await column('Qualified').getByText('Ana Kaur 0', { exact: true }).waitFor();
  await page.getByText('Ana Kaur 0 is at Qualified now').waitFor();
  await until(async () => (await find('Ana Kaur 0')).stage === 'Qualified');
  await page.getByRole('button', { name: 'Undo' }).click();
  await column('New').getByText('Ana Kaur 0', { exact: true }).waitFor();
  await page.getByText('Ana Kaur 0 is at New again').waitFor();
  await until(async () => (await find('Ana Kaur 0')).stage === 'New');
});

test(
  'a card whose move is being saved stays in its new column when the board is read again',
  withBrowser,
  async (t) => {
    const { page, column, find, key, moveCard, holdSaves } = await openBoard(t);
    const release = await holdSaves();
    await moveCard('Ana Kaur 0', 'New', 'Qualified');
    const moved = column('Qualified').getByText('Ana Kaur 0', { exact: true });
    // A new contact makes the page read the board again: the answers have the card in its old column.
    const lead = { email: 'new@leads.example', firstName: 'Mere', lastName: 'Just Came' };
    await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload: lead });
    await column('New').getByText('Mere Just Came', { exact: true }).waitFor();
    assert.equal(await moved.count(), 1);
    assert.equal(await column('New').getByText('Ana Kaur 0', { exact: true }).count(), 0);
    release();
    await page.getByText('Ana Kaur 0 is at Qualified now').waitFor();
    assert.equal((await find('Ana Kaur 0')).stage, 'Qualified');
  },
);

test(
  'Ctrl Z while a move is saved takes back that move, and not the one before',
  withBrowser,
  async (t) => {
    const { page, column, moveCard, holdSaves, find } = await openBoard(t);
    await moveCard('Ana Kaur 1', 'Contacted', 'Qualified');
    await page.getByText('Ana Kaur 1 is at Qualified now').waitFor();
    const release = await holdSaves();
    await moveCard('Ana Kaur 0', 'New', 'Qualified');
    await page.keyboard.press('Control+z');
    release();
    await page.getByText('Ana Kaur 0 is at New again').waitFor();
    assert.equal((await find('Ana Kaur 0')).stage, 'New');
    await column('Qualified').getByText('Ana Kaur 1', { exact: true }).waitFor();
  },
);

test(
  'Ctrl Z twice takes back two moves, also while the first is still on its way back',
  withBrowser,
  async (t) => {
    const { page, moveCard, holdSaves } = await openBoard(t);
    for (const [name, from] of [
      ['Ana Kaur 0', 'New'],
      ['Ana Kaur 1', 'Contacted'],
    ] as const) {
      await moveCard(name, from, 'Qualified');
      await page.getByText(`${name} is at Qualified now`).waitFor();
    }
    const release = await holdSaves();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    release();
    await page.getByText('Ana Kaur 1 is at Contacted again').waitFor();
    await page.getByText('Ana Kaur 0 is at New again').waitFor();
  },
);

test('a card whose move is refused goes back, and a message says why', withBrowser, async (t) => {
  const { page, column } = await openBoard(t);
  const json = { code: 'insufficient_access', status: 403, title: 'Refused', detail: 'Refused.' };
  const contentType = 'application/problem+json';
  await page.route(/\/contacts\/[^/?]+$/, (route) =>
    route.fulfill({ status: 403, json, contentType }),
  );
  await page.getByRole('button', { name: 'Stage of Ana Kaur 0: New' }).click();
  await page.getByRole('menuitemradio', { name: 'Qualified' }).click();
  await page
    .getByRole('status', { name: 'Messages' })
    .getByText(/Your role does not allow this/)
    .waitFor();
  await column('New').getByText('Ana Kaur 0', { exact: true }).waitFor();
  assert.equal(await column('Qualified').getByText('Ana Kaur 0', { exact: true }).count(), 0);
});

test(
  'the card of a contact who is erased while their move is saved leaves the board',
  withBrowser,
  async (t) => {
    const { page, find, key, moveCard, holdSaves } = await openBoard(t);
    const { id, etag } = await find('Ana Kaur 0');
    const release = await holdSaves();
    await moveCard('Ana Kaur 0', 'New', 'Qualified');
    const isReadAgain = page.waitForResponse(/contacts\?.*stage=New/);
    const headers = { 'if-match': etag };
    await service.send({ method: 'DELETE', url: `/api/v1/contacts/${id}`, key, headers });
    await isReadAgain;
    release();
    await page.getByRole('alert').or(page.locator('.toast')).first().waitFor();
    await page.getByText('Ana Kaur 0', { exact: true }).waitFor({ state: 'detached' });
  },
);

test(
  'a folded column has its stage, its number and its button on one line',
  withBrowser,
  async (t) => {
    const { column } = await openBoard(t);
    const head = column('Nurture').locator('header');
    await head.getByText('0', { exact: true }).waitFor();
    // As many contacts as a large account has at Nurture.
    await head.locator('p').evaluate((text) => (text.textContent = '9,999'));
    const tops = await head.evaluate((element) =>
      [...element.children].map((child) => {
        const { top, height } = child.getBoundingClientRect();
        return Math.round(top + height / 2);
      }),
    );
    assert.equal(new Set(tops).size, 1, tops.join(', '));
  },
);

test('an empty board says what fills it, or clears its filters', withBrowser, async (t) => {
  const person = await addPerson(service, { role: 'owner' });
  for (const device of ['desktop', 'phone'] as const) {
    const { page } = await open(t, { person, device, path: `/a/${person.slug}/pipeline?tag=none` });
    await page.getByText('No contact fits these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('No contacts yet. Import a file, or connect your website.').waitFor();
    await page.getByRole('link', { name: 'Import a file' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
  }
});

test(
  'an address of the board with an empty filter shows all cards, and the filter of an unknown project is seen',
  withBrowser,
  async (t) => {
    const { page, column, person } = await openBoard(t);
    const ana = column('New').getByText('Ana Kaur 0', { exact: true });
    const project = page.getByRole('combobox', { name: 'Project' });
    const readChosen = () =>
      project.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text);
    await page.goto(`/a/${person.slug}/pipeline?project=&stage=none`);
    await ana.waitFor();
    assert.equal(await readChosen(), 'All projects');
    await page.goto(`/a/${person.slug}/pipeline?project=tui-ridge`);
    await page.getByText('No contact fits these filters.').waitFor();
    assert.equal(await readChosen(), 'Project');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await ana.waitFor();
    assert.equal(await readChosen(), 'All projects');
  },
);

test('the tag of the board is found by a part of its name', withBrowser, async (t) => {
  const { page, column, key, person } = await openBoard(t);
  const tags = Array.from({ length: 40 }, (_, index) => `Campaign ${index + 1}`);
  const long = `Very ${'long '.repeat(18)}name`;
  const payload = {
    email: 'tea@leads.example',
    name: 'Tea Rewi',
    tags: [...tags, 'A reinvestor', long],
  };
  await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
  await page.getByRole('button', { name: 'Tag: All tags' }).click();
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('paign 39');
  const found = page.getByRole('listbox', { name: 'Tag' }).getByRole('option');
  await until(async () => (await found.allInnerTexts()).join() === 'Campaign 39');
  // A word that begins with the text comes first: "Investor" is one of the account, "A reinvestor" sorts before it.
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('invest');
  await until(async () => (await found.allInnerTexts()).join() === 'Investor,A reinvestor');
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('paign 39');
  await until(async () => (await found.allInnerTexts()).join() === 'Campaign 39');
  await page.keyboard.press('Enter');
  await column('New').getByText('Tea Rewi').waitFor();
  assert.equal(await column('Contacted').getByRole('listitem').count(), 0);
  const chosen = page.getByRole('button', { name: 'Tag: Campaign 39' });
  await page.reload();
  await chosen.click();
  await page.getByRole('option', { name: 'All tags' }).click();
  await column('New').getByText('Ana Kaur 0', { exact: true }).waitFor();
  assert.equal(new URL(page.url()).search, '');

  const { body } = await service.send({ url: '/api/v1/tags?q=very', key });
  const path = `/a/${person.slug}/pipeline?tag=${body.data[0].id}`;
  const { page: phone } = await open(t, { person, device: 'phone', path });
  await phone.getByRole('button', { name: `Tag: ${long}` }).waitFor();
  const overflow = () =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth;
  assert.equal(await phone.evaluate(overflow), 0);
});

test(
  'the person of the board is found among many by a part of the name',
  withBrowser,
  async (t) => {
    const { page, column, person } = await openBoard(t);
    await addAgents(service, person.slug);
    await page.reload();
    const ana = column('New').getByText('Ana Kaur 0', { exact: true });
    const choose = async (chosen: string, part: string, name: string) => {
      await page.getByRole('button', { name: `Assigned to: ${chosen}` }).click();
      await page.getByRole('combobox', { name: 'Assigned to', exact: true }).fill(part);
      await page.getByRole('option', { name }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Assigned to: ${name}` }).waitFor();
    };
    await ana.waitFor();
    await choose('Anybody', 'agent 7', 'Agent 7');
    await ana.waitFor({ state: 'detached' });
    await choose('Agent 7', 'nob', 'Nobody');
    await ana.waitFor();
  },
);

test('a card is dragged to another column', withBrowser, async (t) => {
  const { page, column, find } = await openBoard(t);
  await card(page, 'Ana Kaur 0').first().dragTo(column('Viewing'));
  await until(async () => (await find('Ana Kaur 0')).stage === 'Viewing');
});

test(
  'a card that is moved to Reserved asks for the unit, links it, and reserves it',
  withBrowser,
  async (t) => {
    const { page, find, key } = await openBoard(t);
    await page.getByRole('button', { name: 'Stage of Ana Kaur 0: New' }).click();
    await page.getByRole('menuitemradio', { name: 'Reserved' }).click();
    const dialog = page.getByRole('dialog', { name: 'Which unit is Reserved?' });
    await dialog.getByRole('option', { name: /Townhouse 1/ }).click();
    await dialog.getByRole('button', { name: 'Move to Reserved' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(async () => (await find('Ana Kaur 0')).stage === 'Reserved');
    const [link] = (await find('Ana Kaur 0')).links;
    const { body } = await service.send({ url: `/api/v1/stock/units/${link?.unitId}`, key });
    assert.deepEqual([body.name, body.status], ['Townhouse 1', 'Reserved']);
  },
);

/** Moves the card of Ana Kaur 0 to a stage that asks for a unit. */
async function askForUnit(page: Page, stage: string) {
  await page.getByRole('button', { name: 'Stage of Ana Kaur 0: New' }).click();
  await page.getByRole('menuitemradio', { name: stage }).click();
  return page.getByRole('dialog', { name: `Which unit is ${stage}?` });
}

test(
  'the question for the unit names the contact who has reserved the chosen one',
  withBrowser,
  async (t) => {
    const { page, key } = await openBoard(t);
    const read = async (url: string) =>
      (await service.send({ url: `/api/v1${url}`, key })).body.data;
    const [unit] = await read('/stock/units?q=townhouse&sort=name&limit=1');
    const [buyer] = await read('/contacts?stage=Reserved&limit=1');
    const payload = { projectId: unit.projectId, unitId: unit.id };
    const url = `/api/v1/contacts/${buyer.id}/links`;
    await service.send({ method: 'POST', url, key, payload });
    const dialog = await askForUnit(page, 'Reserved');
    await dialog.getByRole('option', { name: new RegExp(unit.name) }).click();
    const name = `${buyer.firstName} ${buyer.lastName}`;
    await dialog.getByText(`${unit.name} is with ${name} (Reserved) already.`).waitFor();
    const change = dialog.getByRole('button', { name: 'Choose another' });
    // Without an edge, its text would begin further from the status than the status from the unit.
    const edge = await change.evaluate((button) => getComputedStyle(button).borderColor);
    assert.notEqual(edge, 'rgba(0, 0, 0, 0)');
    await change.click();
    await dialog.getByRole('option', { name: /Townhouse 2/ }).click();
    await dialog.getByRole('button', { name: 'Move to Reserved' }).waitFor();
    assert.equal(await dialog.getByText('already').count(), 0);
  },
);

test(
  'an agent moves a card to Reserved with a unit that is sold, whose status is not theirs to set',
  withBrowser,
  async (t) => {
    const { page, find } = await openBoard(t, 'agent');
    const dialog = await askForUnit(page, 'Reserved');
    await dialog.getByRole('combobox').fill('4');
    await dialog.getByRole('option', { name: /Townhouse 4.*Unconditional/ }).click();
    await dialog.getByRole('button', { name: 'Move to Reserved' }).click();
    await page.getByText('Ana Kaur 0 is at Reserved now').waitFor();
    assert.equal((await find('Ana Kaur 0')).links.length, 1);
  },
);

test(
  'an agent who moves a card to Under Contract can reserve its unit, so that nobody sells it again',
  withBrowser,
  async (t) => {
    const { page, key } = await openBoard(t, 'agent');
    const dialog = await askForUnit(page, 'Under Contract');
    await dialog.getByRole('option', { name: /Townhouse 1/ }).click();
    const reserve = dialog.getByRole('checkbox', { name: 'Also set Townhouse 1 to Reserved' });
    assert.equal(await reserve.isChecked(), true);
    await dialog.getByText('An owner or a manager sets it to Under Contract.').waitFor();
    await dialog.getByRole('button', { name: 'Move to Under Contract' }).click();
    await page.getByText('Ana Kaur 0 is at Under Contract now').waitFor();
    const { body } = await service.send({ url: '/api/v1/stock/units?q=townhouse+1', key });
    assert.equal(body.data[0].status, 'Reserved');
  },
);

test('the menu of a card is loaded once the card has the focus', withBrowser, async (t) => {
  const { page, column } = await openBoard(t);
  const name = column('New').getByRole('link', { name: 'Ana Kaur 0', exact: true });
  await name.waitFor();
  await Promise.all([page.waitForRequest(/\/menu-list-/, { timeout: 10_000 }), name.focus()]);
});

test('a card is moved to Reserved without a unit', withBrowser, async (t) => {
  const { page, find } = await openBoard(t);
  const dialog = await askForUnit(page, 'Reserved');
  await dialog.getByRole('option', { name: /Townhouse 1/ }).waitFor();
  await dialog.getByRole('button', { name: 'Go on without a unit' }).click();
  await page.getByText('Ana Kaur 0 is at Reserved now').waitFor();
  assert.deepEqual((await find('Ana Kaur 0')).links, []);
});

test(
  'the unit of a card that moves to Settled is one that is already Unconditional',
  withBrowser,
  async (t) => {
    const { page, key } = await openBoard(t);
    const dialog = await askForUnit(page, 'Settled');
    await dialog.getByRole('combobox').fill('4');
    await dialog.getByRole('option', { name: /Townhouse 4.*Unconditional/ }).waitFor();
    await page.keyboard.press('Enter');
    const setStatus = dialog.getByRole('checkbox', { name: 'Also set Townhouse 4 to Settled' });
    await setStatus.waitFor();
    assert.equal(await setStatus.evaluate((each) => each === document.activeElement), true);
    await page.keyboard.press('Enter');
    await page.getByText('Ana Kaur 0 is at Settled now').waitFor();
    const read = async () => {
      const { body } = await service.send({ url: '/api/v1/stock/units?q=townhouse+4', key });
      return body.data[0].status as string;
    };
    assert.equal(await read(), 'Settled');
    const message = page.locator('.toast', { hasText: 'Townhouse 4 is Settled now' });
    await message.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Townhouse 4 is Unconditional again').waitFor();
    assert.equal(await read(), 'Unconditional');
  },
);

test(
  'a sold unit stays sold when a card is moved to Reserved with it, unless the person says otherwise',
  withBrowser,
  async (t) => {
    const { page, key } = await openBoard(t);
    const dialog = await askForUnit(page, 'Reserved');
    await dialog.getByRole('combobox').fill('4');
    await dialog.getByRole('option', { name: /Townhouse 4.*Unconditional/ }).click();
    const setStatus = dialog.getByRole('checkbox', { name: 'Also set Townhouse 4 to Reserved' });
    assert.equal(await setStatus.isChecked(), false);
    await page.keyboard.press('Enter');
    await page.getByText('Ana Kaur 0 is at Reserved now').waitFor();
    const { body } = await service.send({ url: '/api/v1/stock/units?q=townhouse+4', key });
    assert.equal(body.data[0].status, 'Unconditional');
  },
);

test(
  'two people reserve the same unit: the second sees that it is taken, and chooses another',
  withBrowser,
  async (t) => {
    const { page, find, key } = await openBoard(t);
    const dialog = await askForUnit(page, 'Reserved');
    await dialog.getByRole('option', { name: /Townhouse 1/ }).click();
    await dialog.getByText('Tūī Ridge, Townhouse 1').waitFor();
    const units = await service.send({ url: '/api/v1/stock/units?q=townhouse+1', key });
    const url = `/api/v1/stock/units/${units.body.data[0].id}`;
    await service.send({ method: 'PATCH', url, key, payload: { status: 'Reserved' } });
    await dialog.getByRole('button', { name: 'Move to Reserved' }).click();
    await dialog.getByRole('alert').getByText('Townhouse 1 is Reserved now').waitFor();
    assert.deepEqual((await find('Ana Kaur 0')).links, []);
    await dialog.getByRole('button', { name: 'Choose another' }).click();
    await dialog.getByRole('option', { name: /Townhouse 2/ }).click();
    await dialog.getByRole('button', { name: 'Move to Reserved' }).click();
    await page.getByText('Ana Kaur 0 is at Reserved now').waitFor();
    const [link] = (await find('Ana Kaur 0')).links;
    const { body } = await service.send({ url: `/api/v1/stock/units/${link?.unitId}`, key });
    assert.deepEqual([body.name, body.status], ['Townhouse 2', 'Reserved']);
  },
);

/** Stores a change of somebody else just before the first change of this page arrives. */
async function beFaster(page: Page, key: string, payload: object): Promise<void> {
  let isFirst = true;
  await page.route('**/api/v1/contacts/*', async (route) => {
    const url = new URL(route.request().url()).pathname;
    if (isFirst && route.request().method() === 'PATCH') {
      isFirst = false;
      await service.send({ method: 'PATCH', url, key, payload });
    }
    await route.continue();
  });
}

test(
  'two people move the same card: the second sees both stages and chooses',
  withBrowser,
  async (t) => {
    const { page, column, find, key } = await openBoard(t);
    await column('New').getByText('Ana Kaur 0', { exact: true }).waitFor();
    await beFaster(page, key, { stage: 'Lost' });
    await page.getByRole('button', { name: 'Stage of Ana Kaur 0: New' }).click();
    await page.getByRole('menuitemradio', { name: 'Viewing' }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' });
    assert.match(
      await dialog.getByRole('row', { name: /Stage/ }).innerText(),
      /Lost[\s\S]*Viewing/,
    );
    await dialog.getByRole('button', { name: 'Use mine' }).click();
    await until(async () => (await find('Ana Kaur 0')).stage === 'Viewing');
  },
);

test(
  'a card moves without a question when somebody else changed the contact, but not its stage',
  withBrowser,
  async (t) => {
    const { page, column, find, key } = await openBoard(t);
    await column('New').getByText('Ana Kaur 0', { exact: true }).waitFor();
    await beFaster(page, key, { buyerType: 'Investor' });
    await page.getByRole('button', { name: 'Stage of Ana Kaur 0: New' }).click();
    await page.getByRole('menuitemradio', { name: 'Viewing' }).click();
    await page.getByText('Ana Kaur 0 is at Viewing now').waitFor();
    const { stage, buyerType } = await find('Ana Kaur 0');
    assert.deepEqual([stage, buyerType], ['Viewing', 'Investor']);
  },
);

test('a viewer sees the board without the ways to move a card', withBrowser, async (t) => {
  const { page, column } = await openBoard(t, 'viewer');
  await column('New').getByText('Ana Kaur 0', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^(Move|Stage of)/ }).count(), 0);
});

test(
  'three messages leave a phone its page: the newest two are shown, and Ctrl Z takes back the last change',
  withBrowser,
  async (t) => {
    const { page, find } = await openBoard(t, 'owner', 'phone');
    for (const name of ['Ana Kaur 0', 'Ana Kaur 7', 'Ana Kaur 14']) {
      await page.getByRole('button', { name: `Stage of ${name}: New` }).click();
      await page.getByRole('menuitemradio', { name: 'Qualified' }).click();
      const message = page.getByText(`${name} is at Qualified now`);
      await message.waitFor();
      // A message stays while the pointer is over it.
      await message.dispatchEvent('pointerover');
    }
    const messages = page.getByText('is at Qualified now').filter({ visible: true });
    assert.deepEqual(await messages.allInnerTexts(), [
      'Ana Kaur 7 is at Qualified now',
      'Ana Kaur 14 is at Qualified now',
    ]);
    await until(async () => (await find('Ana Kaur 14')).stage === 'Qualified');
    await page.keyboard.press('Control+z');
    await until(async () => (await find('Ana Kaur 14')).stage === 'New');
  },
);

test('a tap anywhere on a card opens its contact', withBrowser, async (t) => {
  const { page } = await openBoard(t, 'owner', 'phone');
  const tapped = card(page, 'Ana Kaur 0').first();
  const box = await tapped.boundingBox();
  assert.ok(box);
  await tapped.tap({ position: { x: 8, y: box.height - 8 } });
  await page.getByRole('heading', { level: 1, name: 'Ana Kaur 0' }).waitFor();
});

test('a finger moves a card by its menu, and finds no handle on it', withBrowser, async (t) => {
  const { page, find } = await openBoard(t, 'owner', 'phone');
  const moved = card(page, 'Ana Kaur 0').first();
  await moved.waitFor();
  assert.equal(await page.getByRole('button', { name: /^Move / }).count(), 0);
  await moved.getByRole('button', { name: /^Stage/ }).tap();
  await page.getByRole('menuitemradio', { name: 'Contacted' }).tap();
  await until(async () => (await find('Ana Kaur 0')).stage === 'Contacted');
});

test('a phone reads and shows a column when a person chooses it', withBrowser, async (t) => {
  const { page, column } = await openBoard(t, 'owner', 'phone');
  const listStages = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => new URL(name).searchParams.get('stage') ?? []),
    );
  await column('New').getByText('Ana Kaur 0', { exact: true }).waitFor();
  assert.deepEqual(await listStages(), ['New']);
  await page.getByRole('combobox', { name: 'Stage' }).selectOption('Viewing');
  await column('Viewing').getByText('Ana Kaur 3', { exact: true }).waitFor();
  assert.deepEqual(await listStages(), ['New', 'Viewing']);
});
