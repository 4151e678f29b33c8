import { UNIT_STATUSES } from '../parts/domain/status.tsx';
import './unit-bar.css';

/** A bar of a project's units by status. Its accessible name has the numbers. */
export function UnitBar({ counts }: { counts: Record<string, number> }) {
  const shown = UNIT_STATUSES.flatMap((status) => {
    const count = counts[status] ?? 0;
    return count === 0 || status === 'Withdrawn' ? [] : { status, count };
  });
  if (shown.length === 0) return null;
  const name = shown.map(({ status, count }) => `${count} ${status}`).join(', ');
  return (
    <span className="unit-bar" role="img" aria-label={name} title={name}>
      {shown.map(({ status, count }) => (
        <span
          key={status}
          className={`unit-bar-part unit-bar-${status.toLowerCase().replaceAll(' ', '-')}`}
          style={{ flexGrow: count }}
        />
      ))}
    </span>
  );
}
