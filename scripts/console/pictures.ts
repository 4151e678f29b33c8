/**
 * Makes the pictures of the documents: starts the service with the demo account in a folder of its own, opens the console in
 * Chromium, and writes docs/pictures/*.webp.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { launchChromium } from './chromium.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'docs/pictures');
const PORT = 3999;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 760 };

interface Picture {
  name: string;
  path: string;
  look?: 'dark' | 'phone';
  /** Brings the page to what the picture shows. */
  action?: (page: Page) => Promise<void>;
}

const openFirstContact = async (page: Page): Promise<void> => {
  const name = page.getByRole('rowheader').filter({ hasText: /\w/ }).first();
  await name.click();
  await page.waitForURL(/contacts\/[\da-f-]+/);
};
const openFirstProject = (page: Page): Promise<void> =>
  page.getByRole('link', { name: 'Harbourlight' }).first().click();

const PICTURES: readonly Picture[] = [
  { name: 'home', path: '/' },
  { name: 'contacts', path: '/contacts' },
  { name: 'contact', path: '/contacts?stage=Viewing', action: openFirstContact },
  { name: 'contacts-phone', path: '/contacts', look: 'phone' },
  { name: 'pipeline', path: '/pipeline', look: 'dark' },
  { name: 'stock', path: '/stock' },
  { name: 'project', path: '/stock/projects', action: openFirstProject },
  { name: 'import', path: '/import' },
  { name: 'imports', path: '/imports' },
  { name: 'duplicates', path: '/duplicates' },
  { name: 'people', path: '/settings/people' },
];

const folder = mkdtempSync(join(tmpdir(), 'offplan-pictures-'));
// PostgreSQL runs as another user when root starts it, and must enter the folder.
chmodSync(folder, 0o755);
mkdirSync(FOLDER, { recursive: true });
const service = spawn(process.execPath, ['bin/offplan.js', 'serve', '--demo'], {
  cwd: ROOT,
  env: { ...process.env, OFFPLAN_DATA_DIR: folder, PORT: String(PORT) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const link = await readLink();
  await takePictures(link);
} finally {
  service.kill('SIGTERM');
  await once(service, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

/** Reads the link of the demo's owner from the output of the service. */
async function readLink(): Promise<string> {
  for await (const line of createInterface({ input: service.stdout })) {
    const [link] = /http\S+\/start#\S+/.exec(line) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error('The service ended before it printed a link.');
}

async function takePictures(link: string): Promise<void> {
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-NZ' });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/a\/[^/]+\/$/);
  const base = page.url().replace(/\/$/, '');
  for (const { name, path, look, action } of PICTURES) {
    await page.setViewportSize(look === 'phone' ? PHONE : DESKTOP);
    await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' });
    await page.goto(base + path, { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await action?.(page);
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    // The events keep a connection open, so that the network is never idle.
    await page.waitForTimeout(1_500);
    const picture = await page.screenshot({ animations: 'disabled' });
    await sharp(picture)
      .webp({ quality: 80 })
      .toFile(join(FOLDER, `${name}.webp`));
    process.stdout.write(`${name}\n`);
  }
  await browser.close();
}
