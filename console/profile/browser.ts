import { texts } from './texts.ts';

/** Browsers name themselves after others, too: the first one that fits is right. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Names a browser by what it calls itself, such as "Firefox on Windows". */
export function describeBrowser(userAgent: string | null): string {
  if (userAgent === null) return texts.browserUnknown;
  const find = (names: readonly [RegExp, string][]): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  // A program, such as curl, has a short name of its own.
  if (browser === undefined) return userAgent.split(' ')[0] ?? texts.browserUnknown;
  return system === undefined ? browser : texts.browserOn(browser, system);
}
