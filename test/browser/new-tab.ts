import type { BrowserContext } from 'playwright-core';
import { until } from '../support/until.ts';

/**
 * Opens a tab with `click`, closes it, and returns its URL. It asks Chromium for its tabs: with Chromium 150, Playwright does not
 * always notice a tab that a link opened, or its first navigation.
 */
export async function openInNewTab(
  context: BrowserContext,
  click: () => Promise<void>,
): Promise<URL> {
  const browser = context.browser();
  if (browser === null) throw new Error('the context has no browser');
  const session = await browser.newBrowserCDPSession();
  const listTabs = async () => (await session.send('Target.getTargets')).targetInfos;
  const before = new Set((await listTabs()).map(({ targetId }) => targetId));
  const findNew = async () =>
    (await listTabs()).find(({ targetId, url }) => !before.has(targetId) && url.startsWith('http'));
  await click();
  await until(async () => (await findNew()) !== undefined);
  const { targetId = '', url = '' } = (await findNew()) ?? {};
  await session.send('Target.closeTarget', { targetId });
  await until(() => context.pages().length === 1);
  await session.detach();
  return new URL(url);
}
