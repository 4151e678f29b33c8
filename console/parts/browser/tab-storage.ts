/** The prefix of the names of drafts. */
export const DRAFT_PREFIX = 'offplan-draft:';

/** The texts that the browser did not store, because it refuses or has no more room. They last until the next reload. */
const unstored = new Map<string, string>();

/** The `sessionStorage` of the tab, which outlives a reload. */
export const tabStorage = {
  read: (name: string): string | null =>
    unstored.get(name) ?? attempt(() => sessionStorage.getItem(name)) ?? null,
  write(name: string, text: string): void {
    tabStorage.remove(name);
    unstored.set(name, text);
    attempt(() => {
      sessionStorage.setItem(name, text);
      unstored.delete(name);
    });
  },
  remove(name: string): void {
    unstored.delete(name);
    attempt(() => sessionStorage.removeItem(name));
  },
  /** Removes all texts whose names match. */
  removeAll(isMatch: (name: string) => boolean): void {
    for (const name of tabStorage.list().filter(isMatch)) tabStorage.remove(name);
  },
  /** Lists the names of all texts. */
  list: (): string[] => [...unstored.keys(), ...(attempt(() => Object.keys(sessionStorage)) ?? [])],
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
