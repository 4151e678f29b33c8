import { AccountFileError } from './faults.ts';

/** Parses a JSON text; says where it is broken without quoting it, as the parser's own message would. */
export function parseJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch {
    throw new AccountFileError([{ pointer: '', detail: describe(json) }]);
  }
}

function describe(text: string): string {
  if (text.trim() === '') return 'is empty; it must be a JSON object.';
  const offset = brokenAt(text);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const what = offset === text.length ? 'ends too early' : 'is not valid JSON';
  return `${what}: line ${line}, column ${column}.`;
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

/** What may come next. `first` and `next` are a value or key just after its bracket and after a comma. */
type Expected = 'value' | 'first value' | 'first key' | 'next key' | 'colon' | 'comma';

/** The offset of the first character that no JSON text could have there. */
function brokenAt(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  }

  function step(): boolean {
    const char = text.charAt(at);
    const isValue = expected === 'value' || expected === 'first value';
    const closes = expected === 'comma' || expected.startsWith('first');
    if (closes && char !== '' && char === open.at(-1)) {
      open.pop();
      expected = 'comma';
    } else if (expected === 'comma' && char === ',' && open.length > 0)
      expected = open.at(-1) === '}' ? 'next key' : 'value';
    else if (expected === 'colon' && char === ':') expected = 'value';
    else if (isValue && char === '{') {
      open.push('}');
      expected = 'first key';
    } else if (isValue && char === '[') {
      open.push(']');
      expected = 'first value';
    } else return takeToken(isValue);
    at += 1;
    return true;
  }

  function takeToken(isValue: boolean): boolean {
    if (isValue && (take(STRING) || take(SCALAR))) expected = 'comma';
    else if (expected.endsWith('key') && take(STRING)) expected = 'colon';
    else return false;
    return true;
  }

  do take(SPACE);
  while (step());
  return at;
}
