/** Rewrites a text as a spreadsheet does that reads it as a number: `3.10` becomes `3.1`; undefined when it keeps the text. */
export function rewriteAsNumber(text: string): string | undefined {
  const isRewritten = /^(?:0+\d*(?:[.,]\d+)?|\d+[.,]\d*0)$/.test(text.trim());
  return isRewritten ? String(Number(withPoint(text))) : undefined;
}

/** Replaces the decimal comma of a number by a point. */
export const withPoint = (text: string): string => text.trim().replace(',', '.');
