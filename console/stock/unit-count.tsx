import type { UnitList } from './units-view.tsx';

/** Shows the number of units and their value. It takes its place before they are known. */
export function UnitCount({ count }: Pick<UnitList, 'count'>) {
  return (
    <span className="unit-count" title={count?.note}>
      {count?.text}
      {count?.note !== undefined && <span className="hidden-text"> {count.note}</span>}
    </span>
  );
}
