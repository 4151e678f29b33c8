import type { Page, Request } from 'playwright-core';

/** The faults of a page that its person may never see: each fails the test. */
export interface Watch {
  faults: string[];
  /** Takes faults that match for what the test provokes. */
  allow: (pattern: RegExp) => void;
}

/** Collects the faults that a page reports, and its requests to other origins. */
export async function watchPage(page: Page, origin: string): Promise<Watch> {
  const seen: string[] = [];
  const allowed: RegExp[] = [];
  page.on('pageerror', (error) => seen.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The page handles the answers of the API itself.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (isAnswer && message.location().url.startsWith(`${origin}/api/`)) return;
    seen.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:';
    if (!isOwn) seen.push(`another origin: ${request.url()}`);
    if (isEditWithoutVersion(request)) seen.push(`an edit without If-Match: ${request.url()}`);
  });
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      reportError(new Error(`refused by the policy: ${violatedDirective} ${blockedURI}`)),
    ),
  );
  return {
    get faults() {
      return seen.filter((fault) => !allowed.some((pattern) => pattern.test(fault)));
    },
    allow: (pattern) => void allowed.push(pattern),
  };
}

/** Edits that overwrite nothing that somebody else has written: the own name and colours, a dry run, and turning a webhook on and off. */
const WITHOUT_VERSION = /\/me$|\bdryRun=true$|\/webhooks\//;

/** Whether a request of the page could overwrite a value that its person has not seen. */
function isEditWithoutVersion(request: Request): boolean {
  return (
    ['PATCH', 'PUT'].includes(request.method()) &&
    !WITHOUT_VERSION.test(request.url()) &&
    request.headers()['if-match'] === undefined
  );
}
