import type { Change } from '../api.ts';
import type { Column } from '../parts/grid/index.ts';
import { formatAgoInSentence, formatClock, formatShortDay } from '../parts/text/format.ts';
import { describeField } from './query.ts';
import { texts } from './texts.ts';
import { describeSetting, describeValue, findAddress, type FindName } from './values.ts';

const describeTime = ({ at }: Change): string => `${formatShortDay(at)}, ${formatClock(at)}`;

/** Makes the columns of the audit, and the two lines of a change on a phone. */
export function makeColumns(findName: FindName) {
  const describeSubject = ({ subjectType, subject }: Change): string =>
    [texts.types[subjectType], findName(subject)].filter(Boolean).join(' ');
  const values = (change: Change) => {
    const show = (value: unknown): string =>
      describeSetting(change, value) ?? describeValue(value, findName);
    return (
      <>
        <bdi className="audit-before">{show(change.before)}</bdi>
        {' → '}
        <bdi>{show(change.after)}</bdi>
      </>
    );
  };
  const columns: Column<Change>[] = [
    {
      id: 'when',
      title: texts.when,
      width: 190,
      isName: true,
      cell: describeTime,
      address: findAddress,
    },
    { id: 'who', title: texts.who, width: 170, cell: ({ actor }) => actor.name },
    { id: 'subject', title: texts.subject, width: 220, cell: describeSubject },
    { id: 'what', title: texts.what, width: 150, cell: describeField },
    {
      id: 'values',
      title: texts.values,
      width: 480,
      cell: (change) => <span className="grid-title">{values(change)}</span>,
    },
  ];
  const phoneRow = (change: Change) => (
    <>
      <div className="audit-line">
        <bdi>{change.actor.name}</bdi>
        <span>·</span>
        <bdi>{findName(change.subject) || texts.types[change.subjectType]}</bdi>
        <span>· {formatAgoInSentence(change.at)}</span>
      </div>
      <div className="audit-line">
        <span>{describeField(change)}:</span>
        {values(change)}
      </div>
    </>
  );
  return { columns, phoneRow };
}
