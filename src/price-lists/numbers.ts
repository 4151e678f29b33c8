/** Matches spaces and apostrophes that separate thousands. */
const SPACE = String.raw`[\s\u00A0\u2009\u202F'’]`;
/** Matches a currency before or after a number: `$`, `NZ$`, `NZD`, `€`, `kr`. */
const CURRENCY = String.raw`(?:\p{L}{0,3}\p{Sc}|[A-Z]{2,3}|kr\.?)?`;
const AMOUNT = new RegExp(
  String.raw`^\s*${CURRENCY}${SPACE}*([-−]?\d(?:[\d.,]|${SPACE}(?=\d{3}(?!\d)))*)${SPACE}*${CURRENCY}\s*$`,
  'u',
);
const SPACES = new RegExp(SPACE, 'gu');

/**
 * Parses a number as people and spreadsheets write it: with a currency, and with separators of thousands. With `hasDecimalComma`, the
 * file may come from a country that writes 1.250.000,50. Returns null when the text is not a number, or is ambiguous.
 */
export function parseNumber(text: string, hasDecimalComma: boolean): number | null {
  const digits = AMOUNT.exec(text)?.[1]?.replace('−', '-').replace(SPACES, '');
  if (digits === undefined) return null;
  const marks = digits.replace(/[^.,]/g, '');
  if (marks === '') return Number(digits);
  const last = marks.at(-1) ?? '';
  const decimals = digits.length - digits.lastIndexOf(last) - 1;
  const isOnce = marks.indexOf(last) === marks.length - 1;
  const hasBoth = marks.includes('.') && marks.includes(',');
  if (!isOnce && hasBoth) return null;
  const isUnclear = isOnce && !hasBoth && decimals === 3;
  // 849.000 is 849 in one country and 849000 in another; 74,125 is 74125 in one and 74.125 in another.
  if (isUnclear && hasDecimalComma) return null;
  const isThousands = !isOnce || (isUnclear && last === ',');
  const [whole = '', fraction = ''] = isThousands ? [digits] : digits.split(last);
  if (!hasWholeThousands(whole)) return null;
  const plain = whole.replace(/[.,]/g, '');
  return Number(fraction === '' ? plain : `${plain}.${fraction}`);
}

/** Returns whether each separator stands before a group of three digits. */
function hasWholeThousands(whole: string): boolean {
  return /^-?(?:\d+|[1-9]\d{0,2}(?:[.,]\d{3})+)$/.test(whole);
}
