import type { ContactFile } from '../api.ts';
import { findName, useProjects, useUsers } from '../parts/domain/names.ts';
import { texts } from './texts.ts';

type Run = NonNullable<ContactFile['run']>;

/** Says which values all rows of an import got, if any: those who have not started it see them here. */
export function Chosen({ run }: { run: Run }) {
  const { set = {} } = run.options;
  if (Object.keys(set).length === 0) return null;
  return (
    <p>
      <strong>{texts.columns.all}</strong>: <ChosenValues set={set} />
    </p>
  );
}

function ChosenValues({ set }: { set: NonNullable<Run['options']['set']> }) {
  const projects = useProjects();
  const users = useUsers();
  const { source, tags, projectId, assignedAccountUserId: userId } = set;
  const values = [
    [texts.columns.source, source],
    [texts.columns.tags, tags?.join(', ')],
    [texts.columns.project, projectId && findName(projects, projectId, '…')],
    [texts.columns.assigned, userId && findName(users, userId, '…')],
  ];
  return values
    .filter(([, value]) => value)
    .map(([label, value]) => `${label} ${value}`)
    .join('; ');
}
