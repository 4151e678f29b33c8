/** Begins the text that replaces a number in parsed JSON. It has U+0000, so that whatever stores texts refuses it. */
const MARK = '\0number:';
const WRITTEN_MARK = String.raw`"\u0000number:`;

/**
 * Parses JSON. When JavaScript would write the number of a member back with another value (9007199254740993, 1e-400), it replaces
 * the number by a text, for which `isInexactNumber` is true.
 */
export function parseExactJson(json: string): unknown {
  const parts: string[] = [];
  let done = 0;
  for (const { start, number } of listLongNumbers(json)) {
    if (isExact(number)) continue;
    parts.push(json.slice(done, start), WRITTEN_MARK, number, '"');
    done = start + number.length;
  }
  // Parse it first as it was sent, so that an error names the right position.
  const value: unknown = JSON.parse(json);
  return done === 0 ? value : JSON.parse(parts.join('') + json.slice(done));
}

/** Parses a JSON array. Returns an empty one for any other text. */
export function parseJsonList(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** Whether a value of `parseExactJson` replaces a number. */
export function isInexactNumber(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** Writes a value of `parseExactJson` as JSON, with its numbers as they were. */
export function toExactJson(value: unknown): string {
  const json = writeJson(value);
  return json.includes(WRITTEN_MARK) ? json.replace(/"\\u0000number:([\d.eE+-]+)"/g, '$1') : json;
}

/** Writes a value of `parseExactJson` as JSON, with a number that JavaScript would change as a text. */
export function toReadableJson(value: unknown): string {
  return writeJson(value).replaceAll(WRITTEN_MARK, '"');
}

function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return writeDeepJson(value);
  }
}

/** Writes parsed JSON of any depth. `JSON.stringify` calls itself for each level, and fails at some thousands of them. */
function writeDeepJson(root: unknown): string {
  const parts: string[] = [];
  const todo: ({ value: unknown } | string)[] = [{ value: root }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
    } else if (typeof next.value !== 'object' || next.value === null) {
      parts.push(JSON.stringify(next.value));
    } else {
      const isList = Array.isArray(next.value);
      parts.push(isList ? '[' : '{');
      todo.push(isList ? ']' : '}');
      const members = Object.entries(next.value);
      for (const [index, [name, value]] of [...members.entries()].toReversed())
        todo.push({ value }, (index === 0 ? '' : ',') + (isList ? '' : `${JSON.stringify(name)}:`));
    }
  }
  return parts.join('');
}

const QUOTE = 0x22;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** A number of this length without an exponent is exact. */
const SHORT_LENGTH = 15;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Lists the numbers after a colon that are long or have an exponent. It skips the items of lists: their number has no limit,
 * and no field is a list of numbers. A reviver would make parsing thirty times slower.
 */
function listLongNumbers(json: string): { start: number; number: string }[] {
  const numbers: { start: number; number: string }[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = findEndOfString(json, at);
    if (code !== COLON) continue;
    const start = skipSpace(json, at + 1);
    at = start - 1;
    if (!isStartOfNumber(json.charCodeAt(start))) continue;
    NUMBER.lastIndex = start;
    const number = NUMBER.exec(json)?.[0] ?? '';
    if (number.length > SHORT_LENGTH || /[eE]/.test(number)) numbers.push({ start, number });
    at = start + number.length - 1;
  }
  return numbers;
}

function isStartOfNumber(code: number): boolean {
  return code === MINUS || (code >= ZERO && code <= NINE);
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

/** Finds the quote that closes a string: the first one after an even number of backslashes. */
function findEndOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/**
 * Whether JavaScript writes a number of JSON back with the same value. Some programs write each number with 17 digits
 * (0.10000000000000001); JavaScript writes the same value with fewer.
 */
function isExact(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  const written = String(value);
  if (written === number) return true;
  const decimal = toDecimal(number);
  return decimal === toDecimal(written) || decimal === toDecimal(value.toPrecision(17));
}

const PARTS = /(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Writes a number without its sign in one form: its digits without zeros at the ends, and the exponent of the last digit. */
function toDecimal(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(number) ?? [];
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  const lastExponent = Number(exponent) - fraction.length + digits.length - end;
  return start === end ? '0' : `${digits.slice(start, end)}e${lastExponent}`;
}
