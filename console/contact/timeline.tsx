import type { Contact } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatDay } from '../parts/text/format.ts';
import { ActivityItem } from './activity-item.tsx';
import { ChangesItem } from './changes-item.tsx';
import type { SaveContact } from './edits.ts';
import { useActivities, useChanges } from './queries.ts';
import { texts } from './texts.ts';
import { groupByDay, mergeItems } from './timeline-items.ts';
import './timeline.css';

/** The history of a contact: activities and changes by day, the newest first. */
export function Timeline({ contact, save }: { contact: Contact; save: SaveContact | undefined }) {
  const { query, change } = useAddress();
  const asked = query.get('show') ?? 'all';
  const show = Object.hasOwn(texts.filters, asked) ? asked : 'all';
  const type = show in texts.activityNames ? show : '';
  const activities = useActivities(contact.id, type, show !== 'changes');
  const changes = useChanges(contact.id, '', type === '' && show !== 'activities');
  const lists = [activities, changes].filter(({ isEnabled }) => isEnabled);
  const failed = lists.find(({ error }) => error !== null);
  const isPending = lists.some((list) => list.isPending);
  const items = mergeItems(readList(activities), readList(changes));

  return (
    <>
      <div className="timeline-head screen-only">
        <label htmlFor="timeline-show" className="activity-label">
          {texts.show}
        </label>
        <select
          id="timeline-show"
          className="control"
          value={show}
          onChange={(event) => {
            const { value } = event.target;
            change({ show: value === 'all' ? null : value }, { replace: true });
          }}
        >
          {Object.entries(texts.filters).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {failed !== undefined && (
        <LoadError
          error={failed.error}
          onRetry={() => lists.forEach((list) => void list.refetch())}
        />
      )}
      {isPending && failed === undefined && <Skeleton lines={5} />}
      {!isPending && items.length === 0 && (
        <p className="soft">
          {show === 'all' ? texts.noActivity : texts.noActivityOfFilter(texts.filters[show] ?? '')}
        </p>
      )}
      {groupByDay(items, formatDay).map(({ day, items: ofDay }) => (
        <section key={day} className="timeline-day">
          <h3>{nameDay(day)}</h3>
          <ol>
            {ofDay.map((item) => (
              <li key={item.id}>
                {item.kind === 'activity' ? (
                  <ActivityItem activity={item.activity} contact={contact} save={save} />
                ) : (
                  <ChangesItem changes={item.changes} />
                )}
              </li>
            ))}
          </ol>
        </section>
      ))}
      {lists.some(({ hasNextPage }) => hasNextPage) && (
        <Button
          className="screen-only"
          isBusy={lists.some(({ isFetchingNextPage }) => isFetchingNextPage)}
          onClick={() => {
            // Load both: the list whose last read row is newer hides the older rows of the other one.
            for (const list of lists) if (list.hasNextPage) void list.fetchNextPage();
          }}
        >
          {texts.loadMore}
        </Button>
      )}
    </>
  );
}

function nameDay(day: string): string {
  const nowMs = Date.now();
  // A day on which the clocks change has 23 or 25 hours: one of these instants is not today, and the first such is yesterday.
  const [today, ...earlier] = [0, 20, 24, 28].map((hours) =>
    formatDay(new Date(nowMs - hours * 3_600_000)),
  );
  if (day === today) return texts.today;
  return day === earlier.find((each) => each !== today) ? texts.yesterday : day;
}

interface Pages<T> {
  isEnabled: boolean;
  hasNextPage: boolean;
  data?: { pages: { data: T[] }[] } | undefined;
}

const readList = <T,>({ isEnabled, hasNextPage, data }: Pages<T>) => ({
  rows: isEnabled ? (data?.pages.flatMap((page) => page.data) ?? []) : [],
  hasMore: isEnabled && hasNextPage,
});
