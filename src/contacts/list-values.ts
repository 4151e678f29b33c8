import { formatSearchText, isBlank, readCreationTime, toSortKey } from '../platform/text/index.ts';
import { ANSWER_TYPES, type Activity, type Contact, type Link } from './schemas.ts';

/** The derived values by which lists filter, sort and search, in addition to the fields of a contact. */
interface ListValues {
  nameKey: string | null;
  searchText: string;
  hasPhone: boolean;
  hasTag: boolean;
  hasProject: boolean;
  /** The projects of the links, in the order of their ids. */
  projectIds: string[];
  hasUnit: boolean;
  latestActivityAt: string | null;
  /** When somebody first called, wrote to or met the contact after its creation. It may be in the future. */
  firstAnswerAt: string | null;
}

/** The rows that are written with a contact. */
export interface NewDetails {
  tags: readonly object[];
  activities: readonly Activity[];
  links: readonly Link[];
}

/**
 * Adds to a contact the values by which lists filter, sort and search. They describe only its new tags, activities and links.
 * Without a `createdAt`, the contact gets the time in its id.
 */
export function addListValues(
  contact: Contact,
  { tags, activities, links }: NewDetails,
  now: Date,
): Contact & ListValues {
  const { id, email, name, firstName, lastName, companyName, phone, mobilePhone } = contact;
  const createdAt = contact.createdAt ?? readCreationTime(id, now).toISOString();
  return {
    ...contact,
    createdAt,
    nameKey: toSortKey(name),
    searchText: formatSearchText({
      texts: [name, firstName, lastName, email, companyName],
      phones: [phone, mobilePhone],
    }),
    hasPhone: !isBlank(phone) || !isBlank(mobilePhone),
    hasTag: tags.length > 0,
    hasProject: links.length > 0,
    projectIds: [...new Set(links.map(({ projectId }) => projectId))].toSorted(),
    hasUnit: links.some(({ unitId }) => unitId !== null),
    latestActivityAt: findLatest(createdAt, activities, now.toISOString()),
    firstAnswerAt: findFirstAnswer(createdAt, activities),
  };
}

/** Finds the time of the latest activity. It leaves out future ones, because lists show this as the last activity. */
function findLatest(
  createdAt: string,
  activities: readonly Activity[],
  now: string,
): string | null {
  const times = activities.map(({ occurredAt }) => occurredAt).filter((time) => time <= now);
  return times.toSorted().at(-1) ?? (createdAt > now ? now : null);
}

function findFirstAnswer(createdAt: string, activities: readonly Activity[]): string | null {
  const answers = activities.filter(
    ({ type, occurredAt }) => ANSWER_TYPES.includes(type) && occurredAt >= createdAt,
  );
  return answers.map(({ occurredAt }) => occurredAt).toSorted()[0] ?? null;
}
