import type { Locator, Page } from 'playwright-core';
import { accountFile } from '../support/accounts.ts';
import type { TestApp } from '../support/harness.ts';
import { addPerson, type TestPerson } from '../support/people.ts';

/** Makes an account with contacts that came in one a minute: the last one is on top of the list. */
export async function fillContacts(service: TestApp, count: number): Promise<TestPerson> {
  const person = await addPerson(service, { role: 'owner' });
  const start = Date.UTC(2025, 0, 1);
  await service.load({
    ...accountFile(person.slug),
    users: [{ email: person.email, name: 'Hana', role: 'owner' }],
    contacts: Array.from({ length: count }, (_, index) => ({
      email: `ana.${index}@leads.example`,
      firstName: 'Ana',
      lastName: `Kaur ${index}`,
      stage: index % 2 === 0 ? 'New' : 'Viewing',
      createdAt: new Date(start + index * 60_000).toISOString(),
    })),
  });
  return person;
}

/** The row of the heads is -1. */
export const cellOf = (page: Page, row: number, cell: number): Locator =>
  page.locator(`[data-row="${row}"] > [data-cell="${cell}"]`);

/** Waits until the first row shows its name. */
export const waitForRows = (page: Page): Promise<void> =>
  cellOf(page, 0, 1).filter({ hasText: /\w/ }).waitFor();

/** The cell that has the focus, as "row/cell"; "lost" when none has. */
export const readFocus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest<HTMLElement>('[data-cell]');
    const row = cell?.closest<HTMLElement>('[data-row]');
    return cell && row ? `${row.dataset['row']}/${cell.dataset['cell']}` : 'lost';
  });

/** The row at the upper edge of the grid, and how far it is from there. */
export const readPlace = (page: Page): Promise<{ name: string; top: number }> =>
  page.evaluate(() => {
    const grid = document.querySelector('[role=grid]')?.getBoundingClientRect();
    const edge = (grid?.top ?? 0) + 36;
    const rows = [...document.querySelectorAll('.grid-row')];
    const row = rows.find((each) => each.getBoundingClientRect().bottom > edge);
    return {
      name: row?.querySelector('.grid-name')?.textContent ?? '',
      top: Math.round((row?.getBoundingClientRect().top ?? 0) - edge),
    };
  });

/** Selects all contacts that fit, and asks for another stage for them. */
export async function changeStageOfAll(page: Page, stage: string): Promise<void> {
  await cellOf(page, -1, 0).click();
  await changeStageOfSelected(page, stage);
}

export async function changeStageOfSelected(page: Page, stage: string): Promise<void> {
  await page.getByRole('button', { name: 'Set stage' }).click();
  await page.getByLabel('New stage').selectOption(stage);
  await page.getByRole('button', { name: /^Change/ }).click();
}
