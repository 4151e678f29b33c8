import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const packageJson = pathToFileURL(findPackageJSON(import.meta.url) ?? '');

/** The folder of the installation, a clone or the package. Files that are not code are named from here. */
export const ROOT = new URL('./', packageJson);

/** The version of the release, from package.json. */
export const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string };
