import { HELD_STATUSES } from '../parts/domain/status.tsx';
import { stockTexts } from './stock-texts.ts';
import { STATUSES } from './unit-fields.ts';

const isWithdrawn = (status: string): boolean => status === 'Withdrawn';
const isSold = (status: string): boolean => status in stockTexts.sold;

/** The statuses of a unit as the options of a `select`. "Sold", which no status is called, has the statuses of a sale. */
export function StatusOptions({ canSell = true }: { canSell?: boolean }) {
  const statuses = canSell ? STATUSES : HELD_STATUSES;
  return (
    <>
      {statuses
        .filter((status) => !isSold(status) && !isWithdrawn(status))
        .map((status) => (
          <option key={status}>{status}</option>
        ))}
      <optgroup label={canSell ? stockTexts.soldGroup : stockTexts.soldByOthers}>
        {statuses.filter(isSold).map((status) => (
          <option key={status} value={status}>
            {status}, {stockTexts.sold[status]}
          </option>
        ))}
      </optgroup>
      {statuses.filter(isWithdrawn).map((status) => (
        <option key={status}>{status}</option>
      ))}
    </>
  );
}
