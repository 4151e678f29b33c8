import { test } from 'node:test';
import { checkPage } from './check-page.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import { LOOK_NAMES } from './looks.ts';

const { open } = await serveConsole();

for (const look of LOOK_NAMES)
  test(`the first page keeps what every page promises: ${look}`, withBrowser, async (t) => {
    const { page } = await open(t, { look });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await checkPage(page, { isNavigated: false });
  });
