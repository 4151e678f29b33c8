/** The names of drafts begin with it. */
export const DRAFT_PREFIX = 'offplan-draft:';

/**
 * The `sessionStorage` of the tab, which outlives a reload. A browser that refuses it, or has no more room, stores nothing: the page
 * then works without.
 */
export const tabStorage = {
  read: (name: string): string | null => attempt(() => sessionStorage.getItem(name)) ?? null,
  write: (name: string, text: string): void => attempt(() => sessionStorage.setItem(name, text)),
  remove: (name: string): void => attempt(() => sessionStorage.removeItem(name)),
  /** Removes all texts whose names match. */
  removeAll: (isMatch: (name: string) => boolean): void =>
    attempt(() => {
      for (const name of Object.keys(sessionStorage).filter(isMatch))
        sessionStorage.removeItem(name);
    }),
};

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Removes what the tab has stored of a person who signs out, such as a selection and the undo. Drafts wait for the same person. */
export const forgetAllButDrafts = (): void =>
  tabStorage.removeAll((name) => name.startsWith('offplan-') && !name.startsWith(DRAFT_PREFIX));
