import { api, type Me } from '../api.ts';

export type Theme = NonNullable<Me['user']>['theme'];

/** `theme.js` reads it before the first paint. */
const NAME = 'offplan-theme';

/** Shows a theme, and keeps it in this browser. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(NAME);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(NAME, theme);
    document.documentElement.dataset['theme'] = theme;
  }
}

/** Shows a theme, and keeps it with the person for the other browsers. */
export async function setTheme(theme: Theme): Promise<void> {
  showTheme(theme);
  await api.PATCH('/me', { body: { theme } });
}
