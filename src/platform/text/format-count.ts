/** Formats a number as people read it, as a whole one: `12,000`. */
export function formatCount(number: number): string {
  return Math.round(number).toLocaleString('en');
}
