/** The buttons of the open page, and those of the bar about the selected rows. */
const BUTTONS = ['.page-actions', '.selection-bar']
  .map((place) => `#page ${place} :is(button, a):not(.help)`)
  .concat('#page .card-action')
  .join();

export interface Action {
  label: string;
  run: () => void;
}

/** Lists the actions on what is open or selected: the buttons that the page has for them, each name once. */
export function listActions(): Action[] {
  const buttons = [...document.querySelectorAll<HTMLElement>(BUTTONS)]
    .filter((button) => !button.matches(':disabled, [aria-disabled=true]'))
    .map((button): [string, Action] => {
      const label = button.ariaLabel ?? button.textContent;
      return [label, { label, run: () => press(button) }];
    });
  return [...new Map(buttons).values()];
}

function press(button: HTMLElement): void {
  // A menu or dialog that it opens gives the focus back to it.
  button.focus();
  button.click();
}
