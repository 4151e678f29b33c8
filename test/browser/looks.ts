import type { BrowserContextOptions, Page } from 'playwright-core';

/** The screens that people use. */
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const satisfies Record<string, BrowserContextOptions>;

export type Device = keyof typeof DEVICES;
export const DEVICE_NAMES = Object.keys(DEVICES) as Device[];

export const describeDevice = (device: Device): BrowserContextOptions => DEVICES[device];

interface Look {
  colorScheme: 'light' | 'dark';
  forcedColors: 'active' | 'none';
  /** The size of the standard text of the browser, in pixels. */
  textSize: number;
}

const PLAIN: Look = { colorScheme: 'light', forcedColors: 'none', textSize: 16 };

/** The settings of a browser that change how a page looks. */
const LOOKS = {
  dark: { ...PLAIN, colorScheme: 'dark' },
  'forced colours': { ...PLAIN, forcedColors: 'active' },
  'text of 200 %': { ...PLAIN, textSize: 32 },
} satisfies Record<string, Look>;

type LookName = keyof typeof LOOKS;
const LOOK_NAMES = Object.keys(LOOKS) as LookName[];

/** Shows an open page in each look other than the plain one, as it does when a person changes the settings of the browser. */
export async function showInEachLook(
  page: Page,
  see: (look: string) => Promise<void>,
  names: readonly LookName[] = LOOK_NAMES,
) {
  for (const name of names) {
    await changeLook(page, LOOKS[name]);
    await see(name);
  }
  await changeLook(page, PLAIN);
}

/** The size of the text of pages that have had another size than the plain one. */
const textSizes = new WeakMap<Page, number>();

async function changeLook(page: Page, { textSize, ...media }: Look): Promise<void> {
  await page.emulateMedia(media);
  if (textSize !== (textSizes.get(page) ?? PLAIN.textSize)) await changeTextSize(page, textSize);
  // While a colour changes, it has the contrast of neither look. An animation that the page cancels rejects.
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map((each) => each.finished));
  });
}

async function changeTextSize(page: Page, textSize: number): Promise<void> {
  textSizes.set(page, textSize);
  const session = await page.context().newCDPSession(page);
  const fontSizes = { standard: textSize, fixed: (textSize * 13) / 16 };
  await session.send('Page.setFontSizes', { fontSizes });
  await session.detach();
}
