import { useMemo } from 'react';
import type { Change } from '../api.ts';
import { useProjects, useUsers } from '../parts/domain/names.ts';
import { useUnits } from '../parts/domain/unit-names.ts';
import { useContactNames } from './contact-names.ts';
import type { FindName } from './values.ts';

/** Finds the names of the people, projects, units and contacts of changes. */
export function useNames(changes: readonly (Change | undefined)[]): FindName {
  const users = useUsers();
  const projects = useProjects();
  const unitIds = changes.flatMap((change) => (change === undefined ? [] : listUnits(change)));
  const findUnit = useUnits(unitIds);
  const contactIds = changes.flatMap((change) =>
    change?.subjectType === 'contact' ? [change.subject] : [],
  );
  const findContact = useContactNames(contactIds);
  const rowNames = JSON.stringify([
    ...unitIds.map((id) => [id, findUnit(id)?.name ?? null]),
    ...contactIds.map((id) => [id, findContact(id) ?? null]),
  ]);
  // Return the same function until a name changes: another function would render all rows again.
  return useMemo(() => {
    const names = new Map(JSON.parse(rowNames) as [string, string | null][]);
    for (const { id, name } of [...users, ...projects]) names.set(id, name ?? null);
    return (id) => names.get(id) ?? undefined;
  }, [users, projects, rowNames]);
}

function listUnits({ subjectType, subject, field, before, after }: Change): string[] {
  if (subjectType === 'unit') return [subject];
  if (field !== 'links') return [];
  return [before, after].flatMap(
    (link) => (link as { unitId?: string | null } | null)?.unitId ?? [],
  );
}
