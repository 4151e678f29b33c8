import { texts } from './texts.ts';

/** The patterns of browsers. The order matters, because a browser's user agent also names other browsers. */
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

/** Names a browser by its user agent, such as "Firefox on Windows". */
export function describeBrowser(userAgent: string | null): string {
  if (userAgent === null) return texts.browserUnknown;
  const find = (names: readonly [RegExp, string][]): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  // For a program such as curl, the first word is its name.
  if (browser === undefined) return userAgent.split(' ')[0] ?? texts.browserUnknown;
  return system === undefined ? browser : texts.browserOn(browser, system);
}
