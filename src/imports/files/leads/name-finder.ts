import { fold, toEmailKey } from '../../../platform/text/index.ts';

/** The people, projects and units that the rows of a file can refer to by name. */
export interface Directory {
  /** The active ones. */
  users: { id: string; email: string; name: string }[];
  /** The live ones. */
  projects: { id: string; slug: string; name: string }[];
  /** The units of these projects that can be linked. */
  units: { id: string; projectId: string; name: string; lotNumber: string | null }[];
}

/** The row that a name refers to, or the reason why it refers to none. */
type Found = { id: string } | { fault: string };

/** Finds rows by the names that people give them, without regard to case and marks. */
export interface NameFinder {
  findUser: (text: string) => Found;
  findProject: (text: string) => Found;
  findUnit: (projectId: string, text: string) => Found;
}

export function createNameFinder({ users, projects, units }: Directory): NameFinder {
  const usersByEmail = groupIds(users, ({ email }) => toEmailKey(email));
  const usersByName = groupIds(users, ({ name }) => fold(name));
  const projectsBySlug = groupIds(projects, ({ slug }) => slug);
  const projectsByName = groupIds(projects, ({ name }) => fold(name));
  const unitsByName = groupIds(units, ({ projectId, name }) => `${projectId} ${fold(name)}`);
  const unitsByLot = groupIds(units, ({ projectId, lotNumber }) =>
    lotNumber === null ? null : `${projectId} ${fold(lotNumber)}`,
  );
  return {
    findUser: (text) =>
      choose(
        usersByEmail.get(toEmailKey(text)) ?? usersByName.get(fold(text)),
        'is the email or the full name of no active person of the account',
        'is the name of several people; give the email',
      ),
    findProject: (text) =>
      choose(
        projectsBySlug.get(fold(text)) ?? projectsByName.get(fold(text)),
        'is the slug or the name of no live project of the account',
        'is the name of several projects; give the slug',
      ),
    findUnit: (projectId, text) =>
      choose(
        unitsByName.get(`${projectId} ${fold(text)}`) ??
          unitsByLot.get(`${projectId} ${fold(text)}`),
        'is the name of no unit of the project',
        'is the name of several units of the project',
      ),
  };
}

function choose(ids: string[] | undefined, unknown: string, ambiguous: string): Found {
  const [id] = ids ?? [];
  if (id === undefined) return { fault: unknown };
  return ids?.length === 1 ? { id } : { fault: ambiguous };
}

function groupIds<Item extends { id: string }>(
  items: Item[],
  toKey: (item: Item) => string | null,
): Map<string, string[]> {
  const idsOf = new Map<string, string[]>();
  for (const item of items) {
    const key = toKey(item);
    if (key !== null && key !== '') idsOf.set(key, [...(idsOf.get(key) ?? []), item.id]);
  }
  return idsOf;
}
