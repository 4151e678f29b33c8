import { fold, hasWords } from '../../platform/text/index.ts';
import type { Person, PersonFilter } from './schemas.ts';

/** The fields of a person that the list filters and sorts by. */
interface Listed extends Pick<Person, 'id' | 'name' | 'email' | 'role' | 'active'> {
  createdAt: Date;
}

/** Whether a person matches the filter of a list. */
export function matchesFilter(
  { role, active, name, email }: Listed,
  filter: PersonFilter,
): boolean {
  return (
    (filter.role?.includes(role) ?? true) &&
    (filter.active === undefined || filter.active === active) &&
    (filter.q === undefined || hasWords(filter.q, [name, email]))
  );
}

/** Creates the function that gives the place of a person in a list with this sort. */
export function choosePlace(sort: string) {
  const field = sort.replace('-', '');
  return ({ id, name, email, createdAt }: Listed) => {
    if (field === 'createdAt') return { id, value: createdAt.getTime() };
    return { id, value: fold(field === 'email' ? email : name) };
  };
}
