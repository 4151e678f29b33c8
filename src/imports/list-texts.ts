/**
 * The texts of the elements of a list that is a member of a JSON object, just as they stand in it: to parse and
 * write them again would lose how they were written. The JSON is known to be valid.
 */
export function listTexts(json: string, member: string): string[] {
  const parts = partsOf(json, afterSpace(json, 0));
  const keys = parts.filter((_, index) => index % 2 === 0);
  // As JSON.parse has it, the last of several members with one name counts.
  const last = keys.findLastIndex(
    ({ start, end }) => JSON.parse(json.slice(start, end)) === member,
  );
  const list = parts[last * 2 + 1];
  if (last === -1 || list === undefined) return [];
  return partsOf(json, list.start).map(({ start, end }) => json.slice(start, end));
}

/** A number, true, false or null. */
const WORD = /[^\s,\]}]+/y;
const NEITHER_TEXT_NOR_NESTED = /[^"{}[\]]*/y;

/** From the first character of a value to after its last. */
interface Span {
  start: number;
  end: number;
}

/** The values directly in the list or object that begins at `start`: of an object its keys and values in turn. */
function partsOf(json: string, start: number): Span[] {
  const parts: Span[] = [];
  let at = afterSpace(json, start + 1);
  while (!'}]'.includes(json.charAt(at))) {
    const end = endOf(json, at);
    parts.push({ start: at, end });
    at = afterSpace(json, end);
    // A comma or a colon.
    if (!'}]'.includes(json.charAt(at))) at = afterSpace(json, at + 1);
  }
  return parts;
}

function afterSpace(json: string, at: number): number {
  let next = at;
  while (' \t\n\r'.includes(json.charAt(next))) next += 1;
  return next;
}

/** Where the value that begins at `at` ends. */
function endOf(json: string, at: number): number {
  const first = json[at];
  if (first === '"') return endOfText(json, at);
  if (first === '{' || first === '[') return endOfNested(json, at);
  return endOfMatch(WORD, json, at);
}

function endOfNested(json: string, at: number): number {
  let depth = 0;
  for (let next = at; ;) {
    const char = json[next];
    if (char === '"') next = endOfText(json, next);
    else {
      if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') depth -= 1;
      next += 1;
    }
    if (depth === 0) return next;
    next = endOfMatch(NEITHER_TEXT_NOR_NESTED, json, next);
  }
}

function endOfText(json: string, at: number): number {
  let quote = at;
  do quote = json.indexOf('"', quote + 1);
  while (isEscaped(json, quote));
  return quote + 1;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function endOfMatch(pattern: RegExp, json: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(json);
  return pattern.lastIndex;
}
