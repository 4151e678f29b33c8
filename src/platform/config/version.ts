import { readFileSync } from 'node:fs';

const packageJson = new URL('../../../package.json', import.meta.url);

/** The release, as package.json names it. */
export const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string };
