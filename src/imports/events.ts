import { listContactEvents, requireTagId } from '../contacts/index.ts';
import type { AuthoredEvents, NewEvent } from '../events/index.ts';
import type { Problem } from '../platform/http/index.ts';
import type { PlannedImport } from './rules.ts';
import type { ContactImportResult } from './schemas.ts';
import type { Import } from './submission.ts';

/** Makes the event of an import that a problem refused. */
export function makeRefusal({ id, author }: Import, { code }: Problem): AuthoredEvents {
  return { author, events: [{ type: 'import.refused', subject: id, data: { code } }] };
}

/** Lists the events of imports. `tagIds` has the ids of all tags by their keys. */
export function listImportEvents(
  planned: PlannedImport[],
  tagIds: Map<string, string>,
): AuthoredEvents[] {
  return planned.map((each) => {
    if (each.step === null) return makeRefusal(each, each.outcome);
    const { id, author, outcome, step } = each;
    const tags = step.tags.map(({ tag: { key, label } }) => ({
      id: requireTagId(tagIds, key),
      label,
    }));
    const events = listContactEvents({ ...step, tags, importId: id });
    return { author, events: [...events, describeEnquiry(id, outcome)] };
  });
}

function describeEnquiry(
  importId: string,
  { contactId, action, linkedProjectId: projectId, linkedUnitId: unitId }: ContactImportResult,
): NewEvent {
  return {
    type: 'contact.enquired',
    subject: contactId,
    data: { action, projectId, unitId, importId },
  };
}
