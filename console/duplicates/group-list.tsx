import { Link } from 'wouter';
import type { ImportRecord } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { nameField } from '../parts/domain/contact-texts.ts';
import { COMPARED, isDifferent } from './differences.ts';
import { findLeads, type DuplicateGroup, type GroupsQuery } from './queries.ts';
import { texts } from './texts.ts';

interface GroupListProps {
  groups: readonly DuplicateGroup[];
  /** The group on the screen. */
  shown: DuplicateGroup | undefined;
  /** The leads that were refused because of these groups. */
  leads: readonly ImportRecord[];
  more: Pick<GroupsQuery, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  onFollow: () => void;
}

/** The links to the groups, page by page. */
export function GroupList({ groups, shown, leads, more, onFollow }: GroupListProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = more;
  return (
    <nav className="duplicates-list" aria-label={texts.list}>
      <ul>
        {groups.map((group) => (
          <li key={group.email}>
            <GroupLink
              group={group}
              leadCount={findLeads(leads, group).length}
              isShown={group === shown}
              onFollow={onFollow}
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
  );
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
