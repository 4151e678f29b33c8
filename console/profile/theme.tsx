import { startTransition, useOptimistic } from 'react';
import type { Theme as ThemeName } from '../parts/browser/theme.ts';
import { showToast } from '../parts/message/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { useOwnChanges, useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

const THEMES: readonly ThemeName[] = ['system', 'light', 'dark'];

/** The setting of the theme. The service stores it with the person, for all browsers. */
export function Theme() {
  const { me } = useSession();
  const change = useOwnChanges();
  // Show a choice at once. When the service refuses it, React shows the one before again.
  const [shown, show] = useOptimistic(me.user?.theme);

  const choose = (theme: ThemeName): void =>
    startTransition(async () => {
      show(theme);
      await change({ theme }).catch((error: unknown) =>
        showToast({ text: describeProblem(error), look: 'error' }),
      );
    });

  return (
    <Card title={texts.theme}>
      <fieldset className="profile-choices">
        <legend className="hidden-text">{texts.theme}</legend>
        {THEMES.map((theme) => (
          <label key={theme} className="profile-choice">
            <input
              type="radio"
              name="theme"
              checked={shown === theme}
              onChange={() => choose(theme)}
            />
            {texts.system[theme]}
          </label>
        ))}
      </fieldset>
    </Card>
  );
}
