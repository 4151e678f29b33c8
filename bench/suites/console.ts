import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../../scripts/console/chromium.ts';
import type { Bench } from '../bench.ts';
import { enableCpuMetrics, measureLoad, readMetrics, signIn } from '../browser.ts';
import { makeAccount, makeStock } from '../data.ts';
import { makeListedContacts } from '../contact-lists.ts';
import { atMost, figure, median, type Comparison } from '../measure.ts';
import type { Running } from '../process.ts';

const CONTACTS = 20_000;
/** The seconds of scrolling for each second of `--seconds`: with `--seconds 3`, the five minutes of the mark. */
const SCROLL_SECONDS_PER_SECOND = 100;
/** The changes that an open list shows, and the pause before each. */
const CHANGES = 20;
const ALONE_AFTER_MS = 1_200;
const WHEEL_FRAMES = 300;
const WHEEL_PX = 240;
/** The distance of one turn, with which the list loads all of its rows in five minutes. */
const LONG_WHEEL_PX = 1_200;

/** The element that a page shows once it has its data, and the processor time in milliseconds that it may take until then. */
const PAGES = {
  contacts: { shown: '[data-row="0"] > [data-cell="1"]:not(:empty)', mark: 500 },
  pipeline: { shown: '.board-card', mark: 600 },
};

/**
 * Measures the console in Chromium with 20,000 contacts: loading a page, scrolling by one step of the mouse wheel,
 * and the size of the heap after minutes of scrolling.
 */
export async function consoleInBrowser(bench: Bench): Promise<Comparison[]> {
  if (!hasChromium) {
    bench.say(
      'Chromium is missing: install it, or name it in CHROMIUM_PATH. Nothing was measured.',
    );
    return [];
  }
  const browser = await launchChromium();
  try {
    return await measureConsole(bench, browser);
  } finally {
    await browser.close();
  }
}

async function measureConsole(bench: Bench, browser: Browser): Promise<Comparison[]> {
  const account = await makeAccount(bench.db, 'console');
  await makeStock(bench.db, account, { projects: 60, units: 100, images: 0 });
  await makeListedContacts(bench.db, account, CONTACTS);
  const running = await bench.serve();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await signIn(bench, account, context, running);
  const base = `${running.url}/a/${account.slug}`;

  const comparisons: Comparison[] = [];
  for (const [name, { shown, mark }] of Object.entries(PAGES)) {
    const loads: number[] = [];
    for (let round = 0; round < 5 * bench.rounds; round += 1)
      loads.push(await measureLoad(browser, context, `${base}/${name}`, shown));
    comparisons.push(
      compareTimes(`loading ${name} until its data shows`, loads, {
        mark,
        what: 'ms of processor time',
      }),
    );
  }
  const page = await context.newPage();
  await page.goto(`${base}/contacts`);
  await page.locator(PAGES.contacts.shown).waitFor();
  comparisons.push(await measureSharing(page, running));
  comparisons.push(await measureWheel(page), await measureHeap(page, bench));
  return comparisons;
}

/** Measures the time from the answer to a change that the page did not make until its list shows the new value. */
async function measureSharing(page: Page, { url }: Running): Promise<Comparison> {
  const { request } = page.context();
  const headers = { origin: url };
  const found = await request.get(`${url}/api/v1/contacts?sort=-createdAt&limit=1`);
  const [{ id }] = ((await found.json()) as { data: [{ id: string }] }).data;
  const times: number[] = [];
  for (let count = 0; count < CHANGES; count += 1) {
    // The list reads again at most once a second: a change that comes alone does not wait for that.
    await sleep(ALONE_AFTER_MS);
    const data = { name: `Shared ${count}` };
    const answer = await request.patch(`${url}/api/v1/contacts/${id}`, { data, headers });
    if (!answer.ok()) throw new Error(`the change was answered ${answer.status()}`);
    const startMs = performance.now();
    await page.getByText(data.name).waitFor();
    times.push(performance.now() - startMs);
  }
  const { figures, verdicts } = compareTimes('', times, { mark: 2_000, what: 'ms' });
  const worst = atMost(Math.max(...times), 2_000, 'ms for the slowest');
  return {
    work: 'a change of somebody else shows in an open list',
    figures,
    verdicts: [...verdicts, worst],
  };
}

/** Measures the script that runs for each turn of the wheel over the list. */
async function measureWheel(page: Page): Promise<Comparison> {
  const session = await page.context().newCDPSession(page);
  await enableCpuMetrics(session);
  await page.mouse.move(640, 400);
  await scroll(page, WHEEL_FRAMES, WHEEL_PX);
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = await readMetrics(session);
    await scroll(page, WHEEL_FRAMES, round % 2 === 0 ? WHEEL_PX : -WHEEL_PX);
    const { scriptMs } = await readMetrics(session);
    times.push((scriptMs - before.scriptMs) / WHEEL_FRAMES);
  }
  return compareTimes('one turn of the wheel', times, { mark: 4, what: 'ms of script' });
}

/** Measures the heap after half of the scrolling and at its end. Each half scrolls down and up again. */
async function measureHeap(page: Page, { seconds, say }: Bench): Promise<Comparison> {
  const session = await page.context().newCDPSession(page);
  await enableCpuMetrics(session);
  const halfMs = (seconds * SCROLL_SECONDS_PER_SECOND * 1_000) / 2;
  const heaps: number[] = [];
  for (const part of ['the first half', 'the second half']) {
    say(`scrolling, ${part} of ${(2 * halfMs) / 1_000} s`);
    for (const px of [LONG_WHEEL_PX, -LONG_WHEEL_PX]) {
      const endMs = performance.now() + halfMs / 2;
      while (performance.now() < endMs) await scroll(page, 1, px);
    }
    await session.send('HeapProfiler.collectGarbage');
    heaps.push((await readMetrics(session)).heapMb);
  }
  const [half = NaN, end = NaN] = heaps;
  return {
    work: `the heap after ${(2 * halfMs) / 1_000} s of scrolling`,
    figures: heaps.map((memoryMb, at) =>
      figure(at === 0 ? 'after half of it' : 'at its end', [{ perSecond: NaN, memoryMb }]),
    ),
    verdicts: [atMost(end, 60, 'MB'), atMost(end / half, 1.2, 'times that after half of it')],
  };
}

async function scroll(page: Page, turns: number, px: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, px);
}

function compareTimes(
  work: string,
  times: number[],
  { mark, what }: { mark: number; what: string },
): Comparison {
  const p50Ms = median(times);
  const figures = [figure(what, [{ perSecond: NaN, p50Ms }])];
  return { work, figures, verdicts: [atMost(p50Ms, mark, what)] };
}
