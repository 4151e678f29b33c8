import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Contact, ImportRecord } from '../api.ts';
import { useAddress } from '../parts/address.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { nameField } from '../parts/contact-texts.ts';
import { formatCount } from '../parts/format.ts';
import { Help } from '../parts/help.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, LoadError, Skeleton } from '../parts/states.tsx';
import { COMPARED, isDifferent } from './differences.ts';
import { GroupPanel } from './group-panel.tsx';
import { MergedPanel } from './merged-panel.tsx';
import { findLeads, useGroups, useRefusedLeads, type DuplicateGroup } from './queries.ts';
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
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useGroups();
  const leads = useRefusedLeads();
  const { query, change } = useAddress();
  const [merged, setMerged] = useState<Merged>();
  const groups = data?.pages.flatMap((page) => page.data) ?? [];
  const { totalCount } = data?.pages[0]?.pagination ?? {};
  const email = query.get('email') ?? '';
  // The first group stays when a change by somebody else makes another one the first: a merge cannot be undone.
  const [first, setFirst] = useState('');
  const shouldBe = email === '' ? first || (groups[0]?.email ?? '') : '';
  if (first !== shouldBe) setFirst(shouldBe);
  const shown = email || first;
  const group = groups.find((each) => each.email === shown);
  // The group that the address names may be on a later page.
  const isSought = email !== '' && group === undefined && hasNextPage;
  useEffect(() => {
    if (isSought && !isFetchingNextPage) void fetchNextPage();
  }, [isSought, isFetchingNextPage, fetchNextPage]);
  const isMerged = merged !== undefined && (email === '' || merged.email === email);
  const show = (next: string): void => {
    setMerged(undefined);
    change({ email: next });
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
      {(isPending || (isSought && !isMerged)) && <Skeleton lines={6} />}
      {data !== undefined && groups.length === 0 && !isMerged && (
        <Empty action={<ButtonLink to="/contacts">{texts.toContacts}</ButtonLink>}>
          {texts.none}
        </Empty>
      )}
      <div className={`duplicates ${email === '' ? '' : 'duplicates-chosen'}`}>
        {groups.length > 0 && (
          <nav className="duplicates-list" aria-label={texts.list}>
            <ul>
              {groups.map((each) => (
                <li key={each.email}>
                  <GroupLink
                    group={each}
                    leadCount={findLeads(leads, each).length}
                    isShown={!isMerged && each === group}
                    onFollow={() => setMerged(undefined)}
                  />
                </li>
              ))}
            </ul>
            {hasNextPage && (
              <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {texts.loadMore}
              </Button>
            )}
          </nav>
        )}
        <div className="duplicates-group">
          {email !== '' && (
            <p className="duplicates-back">
              <Link href="/duplicates" onClick={() => setMerged(undefined)}>
                {texts.all}
              </Link>
            </p>
          )}
          {isMerged ? (
            <MergedPanel
              {...merged}
              onNext={groups[0] === undefined ? undefined : () => show(groups[0]?.email ?? '')}
            />
          ) : group === undefined ? (
            shown !== '' &&
            data !== undefined &&
            !isSought && (
              <div ref={takeFocus}>
                <Empty>{texts.unknownEmail}</Empty>
              </div>
            )
          ) : (
            <GroupPanel
              key={group.email}
              group={group}
              onMerged={(contact) => {
                setMerged({ email: group.email, contact, leads: findLeads(leads, group) });
                change({ email: group.email }, { replace: true });
              }}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

/** Focuses the heading of the page when the button that had the focus is gone. */
function takeFocus(element: HTMLElement | null): void {
  if (element !== null && document.activeElement === document.body)
    document.querySelector<HTMLElement>('#page h1')?.focus();
}

interface GroupLinkProps {
  group: DuplicateGroup;
  leadCount: number;
  isShown: boolean;
  onFollow: () => void;
}

function GroupLink({ group, leadCount, isShown, onFollow }: GroupLinkProps) {
  const { email, contacts } = group;
  const different = COMPARED.filter((field) => isDifferent(contacts, field)).map(nameField);
  return (
    <Link
      href={`/duplicates?email=${encodeURIComponent(email)}`}
      className="duplicates-link"
      aria-current={isShown ? 'true' : undefined}
      onClick={onFollow}
    >
      <span className="duplicates-email">{email}</span>
      <span className="soft">
        {texts.contacts(contacts.length)} ·{' '}
        {different.length === 0 ? texts.same : texts.differs(different.join(', '))}
      </span>
      {leadCount > 0 && <span className="duplicates-refused">{texts.refused(leadCount)}</span>}
    </Link>
  );
}
