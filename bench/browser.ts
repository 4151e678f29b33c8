import { once } from 'node:events';
import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import type { Bench } from './bench.ts';
import type { Account } from './data.ts';
import { runToEnd, type Running } from './process.ts';

/** Signs in the owner of an account with a link, as a command prints it. The context of the browser then has the cookie. */
export async function signIn(
  { offplan, databaseUrl }: Bench,
  { slug }: Account,
  context: BrowserContext,
  { url }: Running,
): Promise<void> {
  const email = 'owner@bench.example';
  const { stdout } = await runToEnd(
    [...offplan, 'users', 'invite', slug, email, '--role', 'owner', '--name', 'Hana'],
    { DATABASE_URL: databaseUrl },
  );
  const token = stdout.trim().split('#')[1];
  const data = { token, password: 'a long password of the bench' };
  const answer = await context.request.post(`${url}/api/v1/links/accept`, { data });
  if (answer.status() !== 200) throw new Error(`the link was answered ${answer.status()}`);
}

interface PageMetrics {
  /** CPU time of the page's main thread, and the part of it that ran script, in milliseconds. */
  taskMs: number;
  scriptMs: number;
  heapMb: number;
}

/** Makes the metrics of a page count CPU time instead of wall time. */
export async function enableCpuMetrics(session: CDPSession): Promise<void> {
  await session.send('Performance.enable', CPU_TIME);
}

const CPU_TIME = { timeDomain: 'threadTicks' } as const;

interface Metric {
  name: string;
  value: number;
}

export async function readMetrics(session: CDPSession): Promise<PageMetrics> {
  return toPageMetrics((await session.send('Performance.getMetrics')).metrics);
}

function toPageMetrics(metrics: Metric[]): PageMetrics {
  const read = (name: string) => metrics.find((each) => each.name === name)?.value ?? NaN;
  return {
    taskMs: read('TaskDuration') * 1_000,
    scriptMs: read('ScriptDuration') * 1_000,
    heapMb: read('JSHeapUsedSize') / 1e6,
  };
}

/**
 * Measures the processor time of a page's main thread, in milliseconds, from an empty tab without a cache until an element shows.
 *
 * Playwright does not know the tab. In each tab that it knows, Playwright turns the debugger on, and V8 then parses every script
 * a second time.
 */
export async function measureLoad(
  browser: Browser,
  signedIn: BrowserContext,
  url: string,
  shown: string,
): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send('Target.createBrowserContext');
  const cookies = (await signedIn.cookies()).map(({ name, value }) => ({ name, value, url }));
  await session.send('Storage.setCookies', { browserContextId, cookies });
  const size = { width: 1280, height: 800 };
  const { targetId } = await session.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    ...size,
  });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
  const ask = async (method: string, params: object = {}): Promise<unknown> => {
    const answered = once(session as never, 'Target.receivedMessageFromTarget');
    const message = JSON.stringify({ id: 1, method, params });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
    const [event] = (await answered) as [{ message: string }];
    const { result, error } = JSON.parse(event.message) as { result?: unknown; error?: object };
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const readTaskMs = async () => {
    const { metrics } = (await ask('Performance.getMetrics')) as { metrics: Metric[] };
    return toPageMetrics(metrics).taskMs;
  };
  await ask('Performance.enable', CPU_TIME);
  const beforeMs = await readTaskMs();
  await ask('Page.navigate', { url });
  await ask('Runtime.evaluate', { expression: waitFor(shown), awaitPromise: true });
  const taskMs = (await readTaskMs()) - beforeMs;
  await session.send('Target.disposeBrowserContext', { browserContextId });
  await session.detach();
  return taskMs;
}

const waitFor = (selector: string) => `new Promise((done) => {
  const look = () => (document.querySelector(${JSON.stringify(selector)}) ? done() : requestAnimationFrame(look));
  look();
})`;
