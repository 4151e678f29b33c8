import type { Contact } from '../contacts/index.ts';
import { Problem } from '../platform/http/index.ts';
import type { Lead } from './lead.ts';

/*
 * The reasons to refuse a lead: it refers to a missing row, its contact must be new but exists, or several contacts have its
 * email.
 */

/** Everything that leads of an account may refer to, as the database has it. */
export interface Referable {
  liveProjectIds: string[];
  /** The units that can be linked. A withdrawn unit cannot. */
  units: { id: string; projectId: string }[];
  activeUserIds: string[];
}

/** The `Referable` rows as sets and a map, so that each lead looks them up at once. */
interface References {
  projects: Set<string>;
  projectOfUnit: Map<string, string>;
  users: Set<string>;
}

export function toReferences({ liveProjectIds, units, activeUserIds }: Referable): References {
  return {
    projects: new Set(liveProjectIds),
    projectOfUnit: new Map(units.map(({ id, projectId }) => [id, projectId])),
    users: new Set(activeUserIds),
  };
}

/** Finds the problem of a lead that refers to a row which the account lacks: with all faults, and the code of the first one. */
export function findReferenceProblem(lead: Lead, known: References): Problem | undefined {
  const refusals = [refuseUnitAlone, refuseProject, refuseUnit, refuseUser].flatMap(
    (refuse) => refuse(lead, known) ?? [],
  );
  const first = refusals[0];
  if (first === undefined) return undefined;
  const errors = refusals.map(({ pointer, detail }) => ({ pointer, detail }));
  return new Problem(first.code, errors.map(({ detail }) => detail).join(' '), { errors });
}

type Refusal = {
  code:
    | 'project_not_available'
    | 'unit_requires_project'
    | 'unit_not_in_project'
    | 'user_not_active';
  pointer: string;
  detail: string;
};

function refuseUnitAlone({ projectId, unitId }: Lead): Refusal | undefined {
  if (unitId === null || projectId !== null) return undefined;
  const detail = 'unitId needs projectId: the project that the unit belongs to.';
  return { code: 'unit_requires_project', pointer: '/projectId', detail };
}

function refuseProject({ projectId }: Lead, known: References): Refusal | undefined {
  if (projectId === null || known.projects.has(projectId)) return undefined;
  const detail = 'projectId must be the id of a live project of this account.';
  return { code: 'project_not_available', pointer: '/projectId', detail };
}

function refuseUnit({ projectId, unitId }: Lead, known: References): Refusal | undefined {
  if (unitId === null || projectId === null || !known.projects.has(projectId)) return undefined;
  if (known.projectOfUnit.get(unitId) === projectId) return undefined;
  const detail = 'unitId must be the id of a unit of the project that projectId names.';
  return { code: 'unit_not_in_project', pointer: '/unitId', detail };
}

function refuseUser(
  { assignedAccountUserId: userId }: Lead,
  known: References,
): Refusal | undefined {
  if (userId === null || known.users.has(userId)) return undefined;
  const detail = 'assignedAccountUserId must be the id of an active user of this account.';
  return { code: 'user_not_active', pointer: '/assignedAccountUserId', detail };
}

/** The refusal of a lead that came with `If-None-Match: *`, when a contact already has its email. */
export function preconditionFailed(): Problem {
  const detail =
    'A contact of this account has this email, and If-None-Match asks for a new one only. Nothing was changed.';
  return new Problem('precondition_failed', detail);
}

/** The refusal of a lead whose email several contacts have: an import never chooses between them. */
export function duplicateContacts(matches: Contact[]): Problem {
  return new Problem(
    'duplicate_contacts',
    `${matches.length} contacts of this account have this email. Nothing was changed.`,
    { matchingContactIds: matches.map(({ id }) => id) },
  );
}
