import { isIP } from 'node:net';

/** The error of invalid settings. Each line of its message names one setting and describes valid values. */
export class ConfigError extends Error {}

/** The error of an invalid flag of the command line. */
export class FlagError extends ConfigError {}

/** Creates the error that names the setting or flag and describes usable values. */
export function createConfigError(name: string, usable: string): ConfigError {
  const message = `${name} must be ${usable}.`;
  return name.startsWith('--') ? new FlagError(message) : new ConfigError(message);
}

/** Parses a setting that is a whole number. Throws a ConfigError that names the setting, as the other parsers do. */
export function parseInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw createConfigError(name, `a whole number from ${min} to ${max}, not "${text}"`);
}

/** Parses a number from 0 to 1. */
export function parseShare(name: string, text: string): number {
  const value = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
  if (value <= 1) return value;
  throw createConfigError(name, `a share from 0 to 1, not "${text}"`);
}

export function parseEnum<T extends string>(name: string, text: string, values: readonly T[]): T {
  const value = values.find((each) => each === text);
  if (value !== undefined) return value;
  throw createConfigError(name, `one of ${values.join(', ')}, not "${text}"`);
}

/** Parses an IP address or a host name. */
export function parseAddress(name: string, text: string): string {
  const isHostName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
  if (isIP(text) > 0 || isHostName) return text;
  throw createConfigError(name, `an IP address or a host name, not "${text}"`);
}

/** Parses an http or https URL to which paths are appended, and removes the slashes at its end. */
export function parseBaseUrl(name: string, text: string, example: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBaseUrl = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash;
  if (isBaseUrl && !url.username && !url.password) return text.replace(/\/+$/, '');
  throw createConfigError(name, `an http or https URL such as ${example}`);
}

/** Parses origins as browsers write them: without a path, a slash at the end or the port of the scheme. */
export function parseOrigins(name: string, text: string): readonly string[] {
  const origins = text.split(/[\s,]+/).filter((each) => each !== '');
  const isOrigin = (each: string): boolean =>
    /^https?:/.test(each) && URL.canParse(each) && new URL(each).origin === each;
  if (origins.every(isOrigin)) return Object.freeze(origins);
  throw createConfigError(
    name,
    'origins such as https://www.example.com, with commas between them',
  );
}

/** Parses IP addresses and networks in CIDR notation. */
export function parseNetworks(name: string, text: string): readonly string[] {
  const networks = text.split(',').map((each) => each.trim());
  if (networks.every(isNetwork)) return networks;
  throw createConfigError(name, 'IP addresses or networks such as 10.0.0.0/8, separated by commas');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  if (maxBits === undefined || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
}

/** Parses 32 bytes in base64. The error does not repeat them. */
export function parseSecretKey(name: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (/^[A-Za-z0-9+/]{43}=$/.test(text) && key.length === 32) return key;
  throw createConfigError(name, '32 bytes in base64, as `openssl rand -base64 32` prints them');
}

export function parseFlag(name: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw createConfigError(name, `true or false, not "${text}"`);
}

/** Parses the seconds before each attempt. The first attempt is made at once. */
export function parseSchedule(name: string, text: string): number[] {
  const steps = text.split(',').map((each) => each.trim());
  if (steps.length <= 100 && steps[0] === '0' && steps.every((each) => /^\d{1,7}$/.test(each)))
    return steps.map(Number);
  throw createConfigError(name, 'whole seconds with commas between them, of which the first is 0');
}
