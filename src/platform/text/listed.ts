import { fold } from './text.ts';

/**
 * Creates the function that finds the value of a list in another spelling: case, marks, blanks around it, and hyphens or
 * underscores in place of blanks make no difference.
 */
export function createListedFinder<Value extends string>(
  values: readonly Value[],
): (text: string) => Value | undefined {
  const byKey = new Map(values.map((value) => [toListedKey(value), value]));
  return (text) => values.find((value) => value === text) ?? byKey.get(toListedKey(text));
}

function toListedKey(text: string): string {
  return fold(text)
    .replace(/[\s_-]+/g, ' ')
    .trim();
}
