/** At most so many slips of the typing hand, and fewer in a short word. */
const SLIPS_MAX = 2;

/** The known word that a mistyped one most likely stands for, or undefined when none is near it. */
export function nearest(word: string, known: string[]): string | undefined {
  const [best] = known
    .map((each) => ({ each, slips: slipsBetween(word.toLowerCase(), each) }))
    .toSorted((a, b) => a.slips - b.slips);
  const most = Math.min(SLIPS_MAX, Math.floor(word.length / 2));
  return best !== undefined && best.slips <= most ? best.each : undefined;
}

/** How many letters are to be added, left out, replaced, or swapped with the next to make one word the other. */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity;
      const added = (current[column - 1] ?? 0) + 1;
      const leftOut = (last[column] ?? 0) + 1;
      current.push(Math.min(replaced, added, leftOut, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
