import type { ReactNode } from 'react';
import type { Change } from '../api.ts';
import { nameField } from '../parts/domain/contact-texts.ts';
import { findName, useProjects } from '../parts/domain/names.ts';
import { formatClock, formatDay } from '../parts/text/format.ts';
import { showValue } from './fields.ts';
import { useLinkedUnit, usePeopleNames } from './queries.ts';
import { texts } from './texts.ts';
import { TimelineEntry } from './timeline-entry.tsx';

const SHOWN_MAX_COUNT = 1;
const words = texts.change;

/** The changes that one request made, in sentences. */
export function ChangesItem({ changes }: { changes: readonly Change[] }) {
  const nameOf = usePeopleNames();
  const [first] = changes;
  if (first === undefined) return null;
  // Each new contact comes from an import, also one that a person typed.
  const isCreation = changes.some(({ field, before }) => field === 'email' && before === null);
  const sentences = changes.map((change) => ({ id: change.id, text: describe(change, nameOf) }));
  const isLong = sentences.length > SHOWN_MAX_COUNT;
  // Each tag and each link is a change of its own.
  const fields = [...new Set(changes.map(({ field }) => nameField(field)))];
  return (
    <TimelineEntry
      who={first.actor.name}
      line={
        <>
          {isCreation
            ? words.createdWith(fields.length)
            : isLong
              ? words.several(fields)
              : sentences[0]?.text}
          {!isCreation && first.importId !== null && ` ${words.byImport}`}
        </>
      }
      time={formatClock(first.at)}
      at={first.at}
    >
      {isLong && (
        <details className="timeline-changes">
          <summary>{fields.join(', ')}</summary>
          <ul>
            {sentences.map(({ id, text }) => (
              <li key={id}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </TimelineEntry>
  );
}

function describe(
  { field, before, after }: Change,
  nameOf: (id: unknown) => string | undefined,
): ReactNode {
  const person = (id: unknown): string => nameOf(id) ?? texts.unknownPerson;
  switch (field) {
    case 'stage':
      return before == null
        ? words.stageSet(show(field, after))
        : words.stage(show(field, before), show(field, after) || texts.noStage);
    case 'assignedAccountUserId':
      return after == null ? words.unassigned : words.assigned(person(after));
    case 'archivedAt':
      return after == null ? words.restored : words.archived;
    case 'tags':
      return after == null ? words.untagged(readLabel(before)) : words.tagged(readLabel(after));
    case 'links':
      return (
        <>
          {after == null ? words.unlinked : words.linked}{' '}
          <LinkName link={(after ?? before) as LinkItem} />
        </>
      );
    default:
      return describeValue(nameField(field), show(field, before), show(field, after));
  }
}

function describeValue(field: string, before: string, after: string): string {
  if (before === '') return words.filled(field, after);
  return after === '' ? words.emptied(field, before) : words.changed(field, before, after);
}

const show = (field: string, value: unknown): string =>
  field.endsWith('At') && typeof value === 'string' ? formatDay(value) : showValue(field, value);

const readLabel = (tag: unknown): string => (tag as { label?: string }).label ?? '';

interface LinkItem {
  projectId: string;
  unitId: string | null;
}

function LinkName({ link: { projectId, unitId } }: { link: LinkItem }) {
  const project = findName(useProjects(), projectId, '');
  const { data: unit } = useLinkedUnit(unitId);
  return [unit?.name, project].filter(Boolean).join(', ');
}
