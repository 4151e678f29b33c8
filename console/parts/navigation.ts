let isBack = false;

// The browser says `popstate` for Back and Forward, and wouter says `pushState` for a link. Captured, so that they are heard
// before wouter renders the next page: it listens earlier than this file is loaded.
addEventListener('popstate', () => (isBack = true), { capture: true });
addEventListener('pushState', () => (isBack = false), { capture: true });

/** Whether the page is shown because of Back or Forward: it then restores its place and leaves the focus alone. */
export const isReturning = (): boolean => isBack;
