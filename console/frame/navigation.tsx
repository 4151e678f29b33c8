import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { api, type Scope } from '../api.ts';
import { Icon, type IconName } from '../parts/button/icon.tsx';
import { formatNumber } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { pageTitles as titles, texts } from './texts.ts';

export interface NavigationItem {
  to: string;
  title: string;
  icon: IconName;
  scope?: Scope;
  /** The key that opens the page after `G`. */
  key?: string;
}

export const MAIN_ITEMS: readonly NavigationItem[] = [
  { to: '/', title: titles.home, icon: 'home', scope: 'stats:read', key: 'h' },
  { to: '/contacts', title: titles.contacts, icon: 'people', scope: 'contacts:read', key: 'c' },
  { to: '/pipeline', title: titles.pipeline, icon: 'board', scope: 'contacts:read', key: 'p' },
  { to: '/stock', title: titles.stock, icon: 'building', scope: 'projects:read', key: 's' },
];

export const LEAD_ITEMS: readonly NavigationItem[] = [
  { to: '/import', title: titles.import, icon: 'upload', scope: 'contacts:manage' },
  { to: '/imports', title: titles.imports, icon: 'list', scope: 'contacts:manage', key: 'i' },
  {
    to: '/duplicates',
    title: titles.duplicates,
    icon: 'copies',
    scope: 'contacts:manage',
    key: 'd',
  },
];

export const LAST_ITEMS: readonly NavigationItem[] = [
  { to: '/audit', title: titles.audit, icon: 'clock', scope: 'audit:read' },
  { to: '/settings/account', title: texts.settings, icon: 'gear', scope: 'settings:read' },
];

/** Returns the items that the person may open. */
export function useAllowed(items: readonly NavigationItem[]): NavigationItem[] {
  const { can } = useSession();
  return items.filter(({ scope }) => scope === undefined || can(scope));
}

/** A list of links to pages. The link of the open page, or of the page above it, is marked. */
export function NavigationList({
  items,
  counts,
  onFollow,
}: {
  items: readonly NavigationItem[];
  counts?: Record<string, ReactNode>;
  onFollow?: () => void;
}) {
  const [path] = useLocation();
  return (
    <ul>
      {items.map(({ to, title, icon }) => (
        <li key={to}>
          <Link
            href={to}
            className="navigation-link"
            aria-current={isOpen(path, to) ? 'page' : undefined}
            {...(onFollow !== undefined && { onClick: onFollow })}
          >
            <Icon name={icon} />
            {title}
            {counts?.[to]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Whether a page, or a page below it, is open. */
export function isOpen(path: string, to: string): boolean {
  const section = to.startsWith('/settings') ? '/settings' : to;
  return section === '/' ? path === '/' : path === section || path.startsWith(`${section}/`);
}

/** Returns the counts to show beside Import log and Duplicates. They are slow queries, so they start after those of the page. */
export function useLeadCounts(hasPageData: boolean): Record<string, ReactNode> {
  const { can } = useSession();
  const enabled = hasPageData && can('contacts:manage');
  const { data: imports } = useQuery({
    queryKey: ['import', 'open-count'],
    queryFn: () => countImports(),
    enabled,
  });
  const { data: groups } = useQuery({
    queryKey: ['duplicate', 'count'],
    queryFn: () => countDuplicates(),
    enabled,
  });
  return {
    '/imports': <Count of={imports} what={texts.openRefused} />,
    '/duplicates': <Count of={groups} what={texts.groups} />,
  };
}

/** In this time the script of a page has loaded, and its first queries have started. */
const QUIET_MS = 1_000;

/** Returns whether the first page has its data: no query has run for a moment. */
export function useHasPageData(): boolean {
  const queries = useQueryClient();
  const [hasData, setHasData] = useState(false);
  useEffect(() => {
    if (hasData) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function wait(): void {
      clearTimeout(timer);
      if (queries.isFetching() === 0) timer = setTimeout(() => setHasData(true), QUIET_MS);
    }
    wait();
    const stop = queries.getQueryCache().subscribe(wait);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [hasData, queries]);
  return hasData;
}

interface Counted {
  totalCount?: number;
  totalCountIsExact?: boolean;
}

async function countImports(): Promise<Counted> {
  const { data } = await api.GET('/imports', {
    params: { query: { outcome: 'refused', open: true, count: true, limit: 1 } },
  });
  return data.pagination;
}

async function countDuplicates(): Promise<Counted> {
  const { data } = await api.GET('/contacts/duplicates', {
    params: { query: { count: true, limit: 1 } },
  });
  return data.pagination;
}

function Count({ of, what }: { of: Counted | undefined; what: string }) {
  if (of?.totalCount === undefined || of.totalCount === 0) return null;
  return (
    <span className="navigation-count">
      {formatNumber(of.totalCount)}
      {of.totalCountIsExact === false && '+'}
      <span className="hidden-text"> {what}</span>
    </span>
  );
}
