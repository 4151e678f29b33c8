import { fold } from './text.ts';

/**
 * Creates the function that finds a value of a list in another spelling: it ignores case, marks and blanks around the text, and
 * takes hyphens and underscores for blanks.
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
