import { readFileSync } from 'node:fs';

const packageJson = new URL('../../../package.json', import.meta.url);

/** The version of the release, from package.json. */
export const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string };
