import { Link, useLocation } from 'wouter';
import { MenuButton } from '../parts/popup/menu.tsx';
import { ViewMenu } from '../parts/views/view-menu.tsx';
import { viewTexts as texts } from './texts.ts';
import { addressOfView, type ListViews } from './use-views.ts';

/** How many views have a tab. The others are in a menu; the open one always has a tab. */
const TABS = 5;

/** The saved views as tabs, and the menu of actions on the open one. */
export function ViewTabs({ list, views }: ListViews) {
  const [, navigate] = useLocation();
  const { view } = views;
  const shown = views.views.slice(0, TABS);
  const isFar = view !== undefined && !shown.includes(view);
  const tabs = [undefined, ...shown, ...(isFar ? [view] : [])];
  const others = views.views.filter((each) => !tabs.includes(each));
  return (
    <nav className="contacts-views" aria-label={texts.label}>
      {tabs.map((each) => (
        <Link
          key={each?.id ?? 'all'}
          href={addressOfView(each)}
          className="contacts-view"
          aria-current={each === view && (each !== undefined || list.viewId === null) && 'page'}
        >
          <span className="contacts-view-name">{each?.name ?? texts.all}</span>
          {each?.shared === true && <span className="contacts-view-note">{texts.shared}</span>}
          {each === view && views.isChanged && (
            <span className="contacts-view-changed">{texts.changed}</span>
          )}
        </Link>
      ))}
      {others.length > 0 && (
        <MenuButton
          look="bare"
          label={texts.more}
          choices={others.map(({ id, name }) => ({ id, label: name }))}
          onChoose={(id) => navigate(addressOfView(others.find((each) => each.id === id)))}
        />
      )}
      <ViewMenu saved={views} label={texts.menu} name={texts.menu} look="bare" />
    </nav>
  );
}
