import { createLotFinder } from '../../../projects/index.ts';
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

/** Creates the look-ups of people, projects and units by the names that a file has. */
export function createNameFinder({ users, projects, units }: Directory): NameFinder {
  // A name that folds to an empty text is the name of nothing.
  const usersByEmail = Map.groupBy(users, ({ email }) => toEmailKey(email));
  const usersByName = Map.groupBy(users, ({ name }) => fold(name) || null);
  const projectsBySlug = Map.groupBy(projects, ({ slug }) => slug);
  const projectsByName = Map.groupBy(projects, ({ name }) => fold(name) || null);
  const unitsByName = Map.groupBy(units, ({ projectId, name }) => `${projectId} ${fold(name)}`);
  const unitsByLot = Map.groupBy(units, ({ projectId, lotNumber }) =>
    lotNumber === null ? null : `${projectId} ${fold(lotNumber)}`,
  );
  const unitsOfProject = Map.groupBy(units, ({ projectId }) => projectId);
  const lotFinders = new Map(
    [...unitsOfProject].map(([projectId, each]) => [projectId, createLotFinder(each)]),
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
    findUnit: (projectId, text) => {
      const key = `${projectId} ${fold(text)}`;
      const named = unitsByName.get(key) ?? unitsByLot.get(key);
      const byLot = lotFinders.get(projectId)?.(text);
      return choose(
        named ?? (byLot && [byLot]),
        'is the name of no unit of the project',
        'is the name of several units of the project',
      );
    },
  };
}

function choose(rows: { id: string }[] | undefined, unknown: string, ambiguous: string): Found {
  const [first, ...others] = rows ?? [];
  if (first === undefined) return { fault: unknown };
  return others.length === 0 ? { id: first.id } : { fault: ambiguous };
}
