import { findName, useUsers } from '../parts/domain/names.ts';
import { formatDay, formatMoney } from '../parts/text/format.ts';
import { texts } from './texts.ts';

/** Returns a function that formats a value of a contact: a name in place of an id, an amount with its currency. */
export function useShowValue(): (field: string, value: unknown) => string {
  const users = useUsers();
  return (field, value) => {
    if (value == null || value === '') return '';
    if (field === 'assignedAccountUserId')
      return findName(users, typeof value === 'string' ? value : '', texts.nobody);
    if (field.endsWith('At') && typeof value === 'string') return formatDay(value);
    if (field === 'budget' && typeof value === 'number') return formatMoney(value);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
}
