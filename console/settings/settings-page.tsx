import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Scope } from '../api.ts';
import { pageTitles as titles } from '../frame/texts.ts';
import { FilterChoice, listOptions } from '../parts/form/filter-choice.tsx';
import { Page } from '../parts/page/page.tsx';
import { useSession } from '../session/session.tsx';
import { OnceDialog } from '../parts/dialog/once.tsx';
import { texts } from './texts.ts';
import '../parts/page/tabs.css';

const SECTIONS: readonly { to: string; title: string; scope: Scope }[] = [
  { to: '/settings/account', title: titles.account, scope: 'settings:read' },
  { to: '/settings/people', title: titles.people, scope: 'users:read' },
  { to: '/settings/tags', title: titles.tags, scope: 'contacts:read' },
  { to: '/settings/keys', title: titles.keys, scope: 'keys:write' },
  { to: '/settings/webhooks', title: titles.webhooks, scope: 'webhooks:write' },
];

/** A page of the settings, with the links to the other ones that the person may open. */
export function SettingsPage({
  title,
  count,
  actions,
  children,
}: {
  title: string;
  count?: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { can } = useSession();
  const [path] = useLocation();
  const links = (
    <nav className="tabs" aria-label={texts.sections}>
      {SECTIONS.filter(({ scope }) => can(scope)).map(({ to, title: section }) => (
        <Link
          key={to}
          href={to}
          className="tabs-tab"
          aria-current={path === to ? 'page' : undefined}
        >
          {section}
        </Link>
      ))}
    </nav>
  );
  return (
    <Page title={title} count={count} actions={actions} tools={links}>
      {children}
      <OnceDialog />
    </Page>
  );
}

/** The search above a list of settings. */
export function ListSearch({
  label,
  value,
  onSearch,
  maxLength,
}: {
  label: string;
  value: string;
  onSearch: (search: string) => void;
  maxLength?: number;
}) {
  return (
    <input
      type="search"
      className="control"
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      value={value}
      onChange={({ target }) => onSearch(target.value)}
    />
  );
}

/** The tools above a list of settings: a search, and the choice of the rows that it shows. */
export function ListTools<Shown extends string>({
  search,
  onSearch,
  shown,
  choices,
  onShow,
  texts,
}: {
  search: string;
  onSearch: (search: string) => void;
  shown: Shown;
  choices: readonly Shown[];
  onShow: (shown: Shown) => void;
  texts: { search: string; filter: string; filters: Readonly<Record<Shown, string>> };
}) {
  return (
    <div className="list-tools">
      <ListSearch label={texts.search} value={search} onSearch={onSearch} />
      <FilterChoice
        label={texts.filter}
        value={shown}
        options={listOptions(choices, texts.filters)}
        onChange={onShow}
      />
    </div>
  );
}
