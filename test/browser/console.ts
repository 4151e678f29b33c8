import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { build, type Cleaner, type TestApp } from '../harness.ts';
import { PASSWORD, type TestPerson } from '../people.ts';
import { startBrowser } from './chromium.ts';
import { describeLook, setTextSize, type Look } from './looks.ts';
import { watchPage, type Watch } from './watch.ts';

type Person = Pick<TestPerson, 'slug' | 'email'>;

interface Visit {
  /** The person who is signed in; nobody without it. */
  person?: Person;
  look?: Look;
  path?: string;
}

export interface ConsolePage {
  page: Page;
  context: BrowserContext;
  watch: Watch;
}

export interface TestConsole {
  service: TestApp;
  url: string;
  /** Opens a page in a browser session of its own. A fault that the page reports fails the test. */
  open: (t: Cleaner, visit?: Visit) => Promise<ConsolePage>;
}

/** Runs the service on a port, and a browser for all tests of the file. */
export async function serveConsole(): Promise<TestConsole> {
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  const service = await build({ after }, { publicUrl: url });
  await service.app.listen({ host: '127.0.0.1', port });
  const launch = startBrowser({ after });
  async function open(t: Cleaner, { person, look = 'light', path = '/' }: Visit = {}) {
    const browser = await launch();
    const context = await browser.newContext({
      baseURL: url,
      locale: 'en-NZ',
      timezoneId: 'Pacific/Auckland',
      ...describeLook(look),
    });
    context.setDefaultTimeout(10_000);
    t.after(async () => context.close());
    if (person) await signIn(context, person);
    const { page, watch } = await openPage(t, context, url);
    await setTextSize(page, look);
    await page.goto(path);
    return { page, context, watch };
  }
  return { service, url, open };
}

/** Opens one more page, as a second tab of the same browser session. */
async function openPage(t: Cleaner, context: BrowserContext, url: string) {
  const page = await context.newPage();
  const watch = await watchPage(page, url);
  t.after(async () => assert.deepEqual(watch.faults, []));
  return { page, watch };
}

/** Signs in by the API: the session's cookie is in the browser session. */
async function signIn(context: BrowserContext, { slug, email }: Person): Promise<void> {
  const data = { account: slug, email, password: PASSWORD };
  const answer = await context.request.post('/api/v1/sign-in', { data });
  assert.equal(answer.status(), 200, await answer.text());
}

/** Finds a free port: the service has to know its public URL before it listens. */
async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
