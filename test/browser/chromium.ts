import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import type { Cleaner } from '../harness.ts';

/** The build of Chromium that has no windows takes a third less processor time, and draws pages as the other does. */
const PROGRAMS = ['chromium-headless-shell', 'chromium'];

const path = findChromium();

/** Options of a test that needs a browser: it is skipped where there is none, except in CI, where it fails. */
export const withBrowser = {
  skip:
    path === undefined && process.env['CI'] === undefined
      ? 'needs Chromium: install it, or name it in CHROMIUM_PATH'
      : false,
};

function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find(
    (each) => existsSync(each),
  );
}

const ARGUMENTS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--no-sandbox',
];

/** Starts the browser of a test file when its first test asks for it. */
export function startBrowser({ after }: Cleaner): () => Promise<Browser> {
  let started: Promise<Browser> | undefined;
  after(async () => (await started)?.close());
  return () => {
    if (path === undefined) throw new Error('install Chromium, or name it in CHROMIUM_PATH');
    return (started ??= chromium.launch({ executablePath: path, args: ARGUMENTS }));
  };
}
