const NAME = 'offplan-accounts';
const KEPT_MAX_COUNT = 10;

/** Lists the slugs of the accounts that this browser has used, the latest first. */
export function listKnownSlugs(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(value) ? value.filter((slug) => typeof slug === 'string') : [];
  } catch {
    return [];
  }
}

/** Puts an account first in the list of this browser, and drops the oldest above the limit. */
export function rememberSlug(slug: string): void {
  const slugs = [slug, ...listKnownSlugs().filter((known) => known !== slug)];
  localStorage.setItem(NAME, JSON.stringify(slugs.slice(0, KEPT_MAX_COUNT)));
}
