/** The limits of a JSON text. Its length alone does not limit the time of parsing it. */
export interface JsonSize {
  /** The most arrays and objects, at any depth. */
  containers: number;
  /** The most members of objects: many different names are slow to parse. */
  members: number;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;

/** Whether a JSON text is within the limits. It does not check that the text is JSON. */
export function isJsonWithin(json: Buffer, maxSize: JsonSize): boolean {
  let containers = 0;
  let members = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = findEndOfString(json, at);
    else if (byte === LIST || byte === OBJECT) containers += 1;
    else if (byte === COLON) members += 1;
  }
  return containers <= maxSize.containers && members <= maxSize.members;
}

function findEndOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
