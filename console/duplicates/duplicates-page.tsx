import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Contact, ImportRecord } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { ButtonLink } from '../parts/button/button.tsx';
import { Page } from '../parts/page/page.tsx';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { Help } from '../parts/popup/help.tsx';
import { formatCount } from '../parts/text/format.ts';
import { GroupList } from './group-list.tsx';
import { GroupPanel } from './group-panel.tsx';
import { MergedPanel } from './merged-panel.tsx';
import {
  findLeads,
  useGroups,
  useRefusedLeads,
  type DuplicateGroup,
  type GroupsQuery,
} from './queries.ts';
import { texts } from './texts.ts';
import './duplicates.css';

/** A merge that a person made on this page: the contact that remains, and the refused leads that can now be retried. */
interface Merged {
  email: string;
  contact: Contact;
  leads: readonly ImportRecord[];
}

/** The page of duplicates: the emails that several contacts have, and the merge of one such group. */
export function DuplicatesPage() {
  const query = useGroups();
  const { data, error, isPending, refetch } = query;
  const leads = useRefusedLeads();
  const address = useAddress();
  const [latest, setLatest] = useState<Merged>();
  const groups = data?.pages.flatMap((page) => page.data) ?? [];
  const { totalCount } = data?.pages[0]?.pagination ?? {};
  const chosen = address.query.get('email') ?? '';
  const first = useFirstEmail(groups, chosen);
  const email = chosen || first;
  const group = groups.find((each) => each.email === email);
  const isSought = useSearch(query, chosen !== '' && group === undefined);
  const merged = chosen === '' || latest?.email === chosen ? latest : undefined;
  const isUnknown = email !== '' && data !== undefined && !isSought;

  const [next] = groups;
  const showNext = ({ email: ofNext }: DuplicateGroup): void => {
    setLatest(undefined);
    address.change({ email: ofNext });
  };
  const showMerged = (of: DuplicateGroup, contact: Contact): void => {
    setLatest({ email: of.email, contact, leads: findLeads(leads, of) });
    address.change({ email: of.email }, { replace: true });
  };

  return (
    <Page
      title={texts.title}
      count={
        <>
          {totalCount !== undefined && formatCount(totalCount, ...texts.groups)}{' '}
          <Help word={texts.helpWord}>{texts.help}</Help>
        </>
      }
    >
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      {(isPending || (isSought && !merged)) && <Skeleton lines={6} />}
      {data !== undefined && groups.length === 0 && !merged && (
        <Empty action={<ButtonLink to="/contacts">{texts.toContacts}</ButtonLink>}>
          {texts.none}
        </Empty>
      )}
      <div className={`duplicates ${chosen === '' ? '' : 'duplicates-chosen'}`}>
        {groups.length > 0 && (
          <GroupList
            groups={groups}
            shown={merged ? undefined : group}
            leads={leads}
            more={query}
            onFollow={() => setLatest(undefined)}
          />
        )}
        <div className="duplicates-group">
          {chosen !== '' && (
            <p className="duplicates-back">
              <Link href="/duplicates" onClick={() => setLatest(undefined)}>
                {texts.all}
              </Link>
            </p>
          )}
          {merged && <MergedPanel {...merged} onNext={next && (() => showNext(next))} />}
          {!merged && group && (
            <GroupPanel
              key={group.email}
              group={group}
              onMerged={(contact) => showMerged(group, contact)}
            />
          )}
          {!merged && !group && isUnknown && (
            <div ref={takeFocus}>
              <Empty>{texts.unknownEmail}</Empty>
            </div>
          )}
        </div>
      </div>
    </Page>
  );
}

/**
 * Returns the email of the group that is shown when the address names none. It stays when a change by somebody else makes another
 * group the first: a merge cannot be undone.
 */
function useFirstEmail(groups: readonly DuplicateGroup[], chosen: string): string {
  const [first, setFirst] = useState('');
  const shouldBe = chosen === '' ? first || (groups[0]?.email ?? '') : '';
  if (first !== shouldBe) setFirst(shouldBe);
  return first;
}

/** Reads further pages until they have the group that is missing. Returns whether it may be on a later page. */
function useSearch(
  { hasNextPage, isFetchingNextPage, fetchNextPage }: GroupsQuery,
  isMissing: boolean,
): boolean {
  const isSought = isMissing && hasNextPage;
  useEffect(() => {
    if (isSought && !isFetchingNextPage) void fetchNextPage();
  }, [isSought, isFetchingNextPage, fetchNextPage]);
  return isSought;
}

/** Focuses the heading of the page when the button that had the focus is gone. */
function takeFocus(element: HTMLElement | null): void {
  if (element !== null && document.activeElement === document.body)
    document.querySelector<HTMLElement>('#page h1')?.focus();
}
