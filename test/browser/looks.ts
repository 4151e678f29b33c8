import type { BrowserContextOptions, Page } from 'playwright-core';

const DESKTOP = { width: 1280, height: 800 };

/** The ways in which people look at a page. */
const LOOKS = {
  light: { viewport: DESKTOP, colorScheme: 'light' },
  dark: { viewport: DESKTOP, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'text of 200 %': { viewport: DESKTOP },
  'forced colours': { viewport: DESKTOP, forcedColors: 'active' },
} as const satisfies Record<string, BrowserContextOptions>;

export type Look = keyof typeof LOOKS;
export const LOOK_NAMES = Object.keys(LOOKS) as Look[];

export const describeLook = (look: Look): BrowserContextOptions => LOOKS[look];

/** Sets the size of text as a person does in the settings of the browser. */
export async function setTextSize(page: Page, look: Look): Promise<void> {
  if (look !== 'text of 200 %') return;
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
}
