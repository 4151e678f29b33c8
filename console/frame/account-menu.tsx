import { useLocation } from 'wouter';
import { api } from '../api.ts';
import { MenuButton } from '../parts/menu.tsx';
import { setTheme, type Theme } from '../parts/theme.ts';
import { ROOT } from '../root.ts';
import { listKnownSlugs } from '../session/known-accounts.ts';
import { useSession, useSignedIn } from '../session/session.tsx';
import { texts } from './texts.ts';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The account's name, with the menu of the person and of the accounts that this browser knows. */
export function AccountMenu() {
  const { me } = useSession();
  const [, navigate] = useLocation();
  const setSignedIn = useSignedIn();
  const others = listKnownSlugs().filter((slug) => slug !== me.account.slug);

  async function choose(id: string): Promise<void> {
    if (id === 'profile') navigate('/profile');
    else if (id === 'sign-out') {
      await api.POST('/sign-out', {});
      setSignedIn(null);
    } else if (id.startsWith('account:'))
      location.assign(`${ROOT}/a/${id.slice('account:'.length)}/`);
    else await setTheme(id as Theme);
  }

  return (
    <div className="account-menu">
      <span className="account-menu-letter" aria-hidden="true">
        {me.account.displayName.slice(0, 1)}
      </span>
      <MenuButton
        look="bare"
        name={texts.account.menu(me.account.displayName)}
        label={<span className="account-menu-name">{me.account.displayName}</span>}
        onChoose={(id) => void choose(id)}
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
