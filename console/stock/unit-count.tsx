import type { UnitList } from './units-view.tsx';

/** Shows the number of units and their value. */
export function UnitCount({ count }: Pick<UnitList, 'count'>) {
  if (count === undefined) return null;
  return (
    <span title={count.note}>
      {count.text}
      {count.note !== undefined && <span className="hidden-text"> {count.note}</span>}
    </span>
  );
}
