import type { Me } from '../../api.ts';

export type Theme = NonNullable<Me['user']>['theme'];

/** The key in `localStorage`. `theme.js` reads it before the first paint. */
const NAME = 'offplan-theme';

/** Shows a theme, and stores it in this browser. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(NAME);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(NAME, theme);
    document.documentElement.dataset['theme'] = theme;
  }
}
