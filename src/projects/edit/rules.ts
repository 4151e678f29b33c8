import { emptyBlanks } from '../../platform/fields/index.ts';
import { invalidRequest, Problem, type FieldFault } from '../../platform/http/index.ts';
import {
  checkRelatedProject,
  findLongDescription,
  planProject,
  type ProjectChange,
} from '../rules.ts';
import type { Project } from '../schemas.ts';
import type { ProjectChanges } from './schemas.ts';

/** Plans the changes of a project, or a new one. Returns null when nothing changes. Throws when a value is refused. */
export function planChanges(
  id: string,
  stored: { project: Project; relatedIds: string[] } | undefined,
  {
    relatedProjectIds: _ids,
    related: after,
    heroImage,
    galleryImages,
    ...texts
  }: ProjectChanges & { related: string[] | null },
): ProjectChange | null {
  const entry = {
    ...emptyBlanks(texts),
    ...(heroImage !== undefined && { heroImage: mergePicture(stored?.project, heroImage) }),
    ...(galleryImages !== undefined && { galleryImages: galleryImages ?? [] }),
  };
  const { row, change, faults } = planProject(stored?.project, id, entry);
  const refused = [
    ...findLongDescription(stored?.project, row),
    ...findEarlyDate(stored?.project, row),
  ];
  if (refused.length > 0) throw invalidRequest(refused.map(nameField));
  if (faults.length > 0) throw projectIncomplete(faults);
  const before = stored?.relatedIds ?? [];
  const related = after === null || after.join() === before.join() ? null : { before, after };
  if (change === 'unchanged' && related === null) return null;
  return { stored: stored?.project, row, related };
}

/** Finds the fault of a new date before 1900: a year that is typed with two digits is one of the first century. */
function findEarlyDate(
  stored: Project | undefined,
  { estimatedCompletionDate: date }: Project,
): FieldFault[] {
  const isEarly = date !== null && date < '1900';
  return isEarly && date !== stored?.estimatedCompletionDate
    ? [{ pointer: '/estimatedCompletionDate', detail: 'must not be before the year 1900.' }]
    : [];
}

/** Plans a change of a project's publication. Returns null when the project has it already. */
export function planPublication(
  project: Project,
  publication: Project['publication'],
): ProjectChange | null {
  const { row, change, faults } = planProject(project, project.id, { publication });
  if (faults.length > 0) throw projectIncomplete(faults);
  return change === 'unchanged' ? null : { stored: project, row, related: null };
}

function projectIncomplete(faults: FieldFault[]): Problem {
  return new Problem(
    'project_incomplete',
    'The stock endpoints show these fields of each live project. Fill them first; a draft may lack them.',
    { errors: faults.map(nameField) },
  );
}

const nameField = ({ pointer, detail }: FieldFault): FieldFault => ({
  pointer,
  detail: `${pointer.slice(1)} ${detail}`,
});

/** Merges the changes of a picture into the stored one, as RFC 7396 says. */
function mergePicture(
  project: Project | undefined,
  changes: { key?: string; alt?: string | null } | null,
): { key: string; alt?: string | null } | null {
  if (changes === null) return null;
  const { key, ...merged } = { ...project?.heroImage, ...changes };
  if (key !== undefined) return { key, ...merged };
  throw invalidRequest([
    { pointer: '/heroImage/key', detail: 'heroImage/key is required: the project has no picture.' },
  ]);
}

/** Reads the ids of related projects. Returns null when the request does not change them. Throws for a repeated id, and for the project's own. */
export function readRelated(id: string, given: string[] | null | undefined): string[] | null {
  if (given === undefined) return null;
  const ids: string[] = [];
  const faults: FieldFault[] = [];
  for (const [index, text] of (given ?? []).entries()) {
    const detail = checkRelatedProject(id, text.toLowerCase(), ids);
    if (detail === null) ids.push(text.toLowerCase());
    else faults.push({ pointer: `/relatedProjectIds/${index}`, detail });
  }
  if (faults.length > 0) throw invalidRequest(faults.map(nameField));
  return ids;
}
