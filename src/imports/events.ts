import { listContactEvents } from '../contacts/index.ts';
import type { AuthoredEvents, NewEvent } from '../events/index.ts';
import { Problem } from '../platform/http/index.ts';
import type { LeadStep } from './rules.ts';
import type { ContactImportResult } from './schemas.ts';
import type { Import, Outcome } from './submission.ts';

/** Makes the event of an import that a problem refused. */
export function makeRefusal({ id, author }: Import, { code }: Problem): AuthoredEvents {
  return { author, events: [{ type: 'import.refused', subject: id, data: { code } }] };
}

/**
 * Lists the events of imports. `steps` has the changes by the accepted ones, in order; `tagIds` the ids of all tags by their
 * keys.
 */
export function listImportEvents(
  imports: Import[],
  outcomes: Outcome[],
  steps: LeadStep[],
  tagIds: Map<string, string>,
): AuthoredEvents[] {
  const next = steps.values();
  return imports.map((each, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error('an import has no outcome');
    if (outcome instanceof Problem) return makeRefusal(each, outcome);
    const step = next.next().value;
    if (step === undefined) throw new Error('an accepted import has no step');
    const tags = step.tags.map(({ tag: { key, label } }) => ({ id: tagIds.get(key) ?? '', label }));
    const events = listContactEvents({ ...step, tags, importId: each.id });
    return { author: each.author, events: [...events, describeEnquiry(each.id, outcome)] };
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

export function countEvents(authored: AuthoredEvents[]): number {
  return authored.reduce((sum, { events }) => sum + events.length, 0);
}
