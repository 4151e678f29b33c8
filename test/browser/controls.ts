import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';

/**
 * Lists the controls of a page, or of what is open over it: those that a person can use. Numbers are left out, since some differ
 * by the person. Runs in the browser.
 */
function listShown(opened: string | null): string[] {
  const KINDS: Record<string, string> = {
    a: 'link',
    input: 'field',
    textarea: 'field',
    select: 'field',
  };
  const layers = [...document.querySelectorAll('dialog[open], .popup-panel')];
  const root = opened !== null ? layers.at(-1) : (layers[0] ?? document.querySelector('main'));
  const nameOf = (control: HTMLElement): string => {
    const labelledBy = document.getElementById(control.getAttribute('aria-labelledby') ?? '');
    const [label] = (control as HTMLInputElement).labels ?? [];
    return control.ariaLabel ?? (label ?? labelledBy ?? control).textContent;
  };
  const describe = (control: HTMLElement): string => {
    const tag = control.tagName.toLowerCase();
    const { type } = control as HTMLInputElement;
    const kind =
      control.role ?? (['checkbox', 'radio'].includes(type) ? type : (KINDS[tag] ?? tag));
    const name = nameOf(control).replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ').trim();
    return kind.startsWith('menuitem') ? name : `${kind} ${name}`;
  };
  const all =
    'button, a[href], input, select, textarea, summary, [role=columnheader]:not(:has(input)), [role^=menuitem]';
  const controls = [...(root?.querySelectorAll<HTMLElement>(all) ?? [])].filter(
    (control) =>
      control.checkVisibility() &&
      !control.matches(':disabled, [aria-disabled=true], :not([type=checkbox])[readonly]'),
  );
  const names = controls.flatMap((control) => [
    describe(control),
    ...(control instanceof HTMLSelectElement
      ? [...control.options]
          .filter((option) => !option.disabled)
          .map((option) => `option ${nameOf(control)}: ${option.text}`)
      : []),
  ]);
  return [...new Set(names)].map((name) => (opened === null ? name : `${opened} › ${name}`));
}

/** Lists the controls of a page, or with `opened` those of the menu or the dialog of this name. */
export const listControls = (page: Page, opened: string | null = null): Promise<string[]> =>
  page.evaluate(listShown, opened);

/** Opens something by the names of buttons and choices. Returns false when the first of them is not there. */
export async function openByNames(page: Page, names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    const control = page
      .getByRole('main')
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('menuitem', { name, exact: true }));
    if (name === names[0] && (await control.count()) === 0) return false;
    await control.first().click();
    await page.locator('.popup-panel :focus, dialog[open] :focus').first().waitFor();
  }
  return true;
}

/** Closes the menus and dialogs that are open, from the top. */
export async function closeOpened(page: Page): Promise<void> {
  const opened = page.locator('dialog[open], .popup-panel');
  for (let count = await opened.count(); count > 0; count = await opened.count()) {
    await page.keyboard.press('Escape');
    await until(async () => (await opened.count()) < count);
  }
}

/** Whether F2 opens the cell of a column in the first row. It closes it again. */
export async function isEditable(page: Page, column: string): Promise<boolean> {
  const heads = await page.getByRole('columnheader').allInnerTexts();
  await page.locator(`[data-row="0"] > [data-cell="${heads.indexOf(column)}"]`).focus();
  await page.keyboard.press('F2');
  const isOpen = await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(document.querySelector('.grid-editor') !== null)),
        ),
      ),
  );
  if (isOpen) {
    await page.locator('.grid-editor :focus, .popup-panel :focus').first().waitFor();
    // The first Escape may close the list of a select.
    for (const editor = page.locator('.grid-editor'); (await editor.count()) > 0;)
      await page.keyboard.press('Escape');
  }
  return isOpen as boolean;
}
