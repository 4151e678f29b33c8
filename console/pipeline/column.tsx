import { useRef, useState } from 'react';
import { useDrop, type DropItem } from 'react-aria';
import type { Contact } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { findName, useUsers } from '../parts/domain/names.ts';
import { Stage, STAGES } from '../parts/domain/status.tsx';
import { useLinkNames } from '../parts/domain/unit-names.ts';
import { useIsPhone } from '../parts/grid/index.ts';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatAgo } from '../parts/text/format.ts';
import { FOLDED_STAGES, MORE_COUNT, useColumn, type BoardFilter } from './board.ts';
import { Card, CONTACT_TYPE } from './card.tsx';
import { NoCards } from './no-cards.tsx';
import { texts } from './texts.ts';

interface ColumnProps {
  stage: string;
  filter: BoardFilter;
  /** Whether a phone shows this column. It shows one at a time. */
  isChosen: boolean;
  onMove: (contact: Contact, stage: string) => void;
}

const NONE: readonly never[] = [];

/** A column of the board: the number of contacts at a stage, and the cards of the first ones. */
export function Column({ stage, filter, isChosen, onMove }: ColumnProps) {
  const [isFolded, setFolded] = useState(FOLDED_STAGES.includes(stage));
  const isPhone = useIsPhone();
  const isColumnShown = !isPhone || isChosen;
  const isFirstShown = isPhone || stage === STAGES[0];
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useColumn(
    stage,
    filter,
    isColumnShown,
  );
  const areCardsShown = isColumnShown && !isFolded;
  const users = useUsers();
  const contacts = data?.pages.flatMap((page) => page.contacts) ?? [];
  const [first] = data?.pages ?? [];
  const count = first && texts.count(first.count, !first.isCountExact);
  const nameLink = useLinkNames(areCardsShown ? contacts : NONE);
  const nameAssigned = ({ assignedAccountUserId: id }: Contact): string =>
    id == null ? texts.nobody : findName(users, id, '');
  const target = useRef<HTMLElement>(null);
  const { dropProps, isDropTarget } = useDrop({
    ref: target,
    onDrop: ({ items }) => void drop(items),
  });

  async function drop(items: DropItem[]): Promise<void> {
    for (const item of items) {
      if (item.kind !== 'text' || !item.types.has(CONTACT_TYPE)) continue;
      onMove(JSON.parse(await item.getText(CONTACT_TYPE)) as Contact, stage);
    }
  }

  const className = [
    'column',
    isFolded && 'column-folded',
    isChosen && 'column-chosen',
    isDropTarget && 'column-target',
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <section
      {...dropProps}
      ref={target}
      // Only scripts focus a column: while the keys move a card, Tab goes from column to column.
      tabIndex={-1}
      role="group"
      className={className}
      aria-label={texts.column(stage, count ?? '')}
    >
      <header className="column-head">
        <h2>
          <Stage stage={stage} />
        </h2>
        <p>
          {first &&
            (isFolded
              ? texts.folded(first.count, !first.isCountExact)
              : contacts.length < first.count
                ? texts.of(contacts.length, first.count, !first.isCountExact)
                : count)}
        </p>
        {FOLDED_STAGES.includes(stage) && (
          <Button
            look="bare"
            icon={isFolded ? 'right' : 'left'}
            isIconOnly
            onClick={() => setFolded(!isFolded)}
          >
            {isFolded ? texts.unfold(stage) : texts.fold(stage)}
          </Button>
        )}
      </header>
      {areCardsShown && (
        <div className="column-cards">
          {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <Skeleton label={texts.loadingBoard} />}
          {data !== undefined &&
            contacts.length === 0 &&
            (isFirstShown ? (
              <NoCards filter={filter} />
            ) : (
              <p className="column-empty">{texts.empty}</p>
            ))}
          <ul>
            {contacts.map((contact) => (
              <Card
                key={contact.id}
                contact={contact}
                assigned={nameAssigned(contact)}
                link={contact.links?.slice(0, 1).map(nameLink)[0]}
                ago={formatAgo(contact.lastActivityAt)}
                onMove={onMove}
              />
            ))}
          </ul>
          {hasNextPage && (
            <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {texts.loadMore(MORE_COUNT)}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
