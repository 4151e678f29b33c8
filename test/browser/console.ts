import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import type { Config } from '../../src/platform/config/index.ts';
import { build, type Cleaner, type TestApp } from '../support/harness.ts';
import { PASSWORD, type TestPerson } from '../support/people.ts';
import { freePort } from '../support/ports.ts';
import { startBrowser } from './chromium.ts';
import { describeDevice, type Device } from './looks.ts';
import { watchPage, type Watch } from './watch.ts';

type Person = Pick<TestPerson, 'slug' | 'email'>;

interface Visitor {
  /** The person who is signed in; nobody without it. */
  person?: Person;
  device?: Device;
}

/** A browser session: the cookies and the storage of one person. */
interface Session {
  context: BrowserContext;
  /** Opens a tab. A fault that the page reports fails the test. */
  open: (t: Cleaner, path: string) => Promise<{ page: Page; watch: Watch }>;
}

export interface ConsolePage extends Session {
  page: Page;
  watch: Watch;
}

interface TestConsole {
  service: TestApp;
  url: string;
  /** Begins a browser session. */
  enter: (t: Cleaner, visitor?: Visitor) => Promise<Session>;
  /** Begins a browser session with one tab. */
  open: (t: Cleaner, visit?: Visitor & { path?: string }) => Promise<ConsolePage>;
}

/** Runs the service on a port, and a browser for all tests of the file. */
export async function serveConsole(settings: Partial<Config> = {}): Promise<TestConsole> {
  // The service has to know its public URL before it listens.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await build({ after }, { ...settings, publicUrl: url });
  await service.app.listen({ host: '127.0.0.1', port });
  const launch = startBrowser({ after });
  async function enter(t: Cleaner, { person, device = 'desktop' }: Visitor = {}): Promise<Session> {
    const browser = await launch();
    const context = await browser.newContext({
      baseURL: url,
      locale: 'en-NZ',
      timezoneId: 'Pacific/Auckland',
      ...describeDevice(device),
    });
    context.setDefaultTimeout(60_000);
    t.after(async () => context.close());
    if (person) await signInByApi(context, person);
    return {
      context,
      async open(forTest, path) {
        const page = await context.newPage();
        const watch = await watchPage(page, url);
        forTest.after(async () => assert.deepEqual(watch.faults, []));
        await page.goto(path);
        return { page, watch };
      },
    };
  }
  return {
    service,
    url,
    enter,
    async open(t, { path = '/', ...visitor } = {}) {
      const session = await enter(t, visitor);
      return { ...session, ...(await session.open(t, path)) };
    },
  };
}

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in by the API: the session's cookie is in the browser session. */
async function signInByApi(context: BrowserContext, { slug, email }: Person): Promise<void> {
  const data = { account: slug, email, password: PASSWORD };
  const answer = await context.request.post('/api/v1/sign-in', { data });
  assert.equal(answer.status(), 200, await answer.text());
}
