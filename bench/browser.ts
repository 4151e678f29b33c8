import type { BrowserContext, CDPSession } from 'playwright-core';
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
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
}

export async function readMetrics(session: CDPSession): Promise<PageMetrics> {
  const { metrics } = await session.send('Performance.getMetrics');
  const read = (name: string) => metrics.find((each) => each.name === name)?.value ?? NaN;
  return {
    taskMs: read('TaskDuration') * 1_000,
    scriptMs: read('ScriptDuration') * 1_000,
    heapMb: read('JSHeapUsedSize') / 1e6,
  };
}
