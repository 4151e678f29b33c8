import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium } from '../../scripts/console/chromium.ts';
import type { Cleaner } from '../support/harness.ts';

/** Options of a test that needs a browser: it is skipped where there is none, except in CI, where it fails. */
export const withBrowser = {
  skip:
    !hasChromium && process.env['CI'] === undefined
      ? 'needs Chromium: install it, or name it in CHROMIUM_PATH'
      : false,
};

/** Starts the browser of a test file when its first test asks for it. */
export function startBrowser({ after }: Cleaner): () => Promise<Browser> {
  let started: Promise<Browser> | undefined;
  after(async () => (await started)?.close());
  return () => (started ??= launchChromium());
}
