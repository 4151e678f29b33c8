import type { UnitList } from './units-view.tsx';

/** How many units are shown, and what they are worth. */
export function UnitCount({ count }: Pick<UnitList, 'count'>) {
  if (count === undefined) return null;
  return (
    <span title={count.note}>
      {count.text}
      {count.note !== undefined && <span className="hidden-text"> {count.note}</span>}
    </span>
  );
}
