import { useLocation } from 'wouter';
import type { Theme } from '../parts/browser/theme.ts';
import { showToast } from '../parts/message/toast.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { ROOT } from '../root.ts';
import { listKnownSlugs } from '../session/known-accounts.ts';
import { useOwnChanges, useSession, useSignOut } from '../session/session.tsx';
import { texts } from './texts.ts';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The account's name, with a menu for the person and for the other accounts that this browser knows. */
export function AccountMenu() {
  const { me } = useSession();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  const change = useOwnChanges();
  const others = listKnownSlugs().filter((slug) => slug !== me.account.slug);

  async function choose(id: string): Promise<void> {
    if (id === 'profile') navigate('/profile');
    else if (id === 'sign-out') await signOut();
    else if (id.startsWith('account:'))
      location.assign(`${ROOT}/a/${id.slice('account:'.length)}/`);
    else await change({ theme: id as Theme });
  }

  const chooseOrSay = (id: string): void =>
    void choose(id).catch((error: unknown) =>
      showToast({ text: describeProblem(error), look: 'error' }),
    );

  return (
    <div className="account-menu">
      <span className="account-menu-letter" aria-hidden="true">
        {me.account.displayName.slice(0, 1)}
      </span>
      <MenuButton
        look="bare"
        name={texts.account.menu(me.account.displayName)}
        label={<span className="account-menu-name">{me.account.displayName}</span>}
        onChoose={chooseOrSay}
        choices={[
          { id: 'profile', label: `${me.user?.name ?? ''} · ${texts.account.profile}` },
          ...THEMES.map((theme) => ({ id: theme, label: texts.account[theme] })),
          ...others.map((slug) => ({ id: `account:${slug}`, label: slug })),
          { id: 'sign-out', label: texts.account.signOut },
        ]}
      />
    </div>
  );
}
