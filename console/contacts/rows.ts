import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, unlessGone, type Contact } from '../api.ts';
import { PROJECTS, findName } from '../parts/domain/names.ts';
import { readUnits } from '../parts/domain/unit-names.ts';
import { useGridPages, type GridPages } from '../parts/grid/index.ts';
import { useSession } from '../session/session.tsx';
import type { FilterQuery } from './query.ts';

const FIELDS = [
  'id',
  'etag',
  'name',
  'firstName',
  'lastName',
  'email',
  'phone',
  'mobilePhone',
  'companyName',
  'stage',
  'source',
  'sourceExternalOriginalName',
  'buyerType',
  'budget',
  'cityName',
  'assignedAccountUserId',
  'tags',
  'createdAt',
  'updatedAt',
  'lastActivityAt',
  'archivedAt',
] as const satisfies readonly (keyof Contact)[];

type Field = (typeof FIELDS)[number];

/** A contact with only the fields that the list shows, because thousands of them may be loaded. */
export type ContactRow = Pick<Contact, Field> & {
  /** The names of the projects and units that the contact is interested in. */
  projects: string;
  units: string;
};

export const PAGE_SIZE = 100;

const rowId = ({ id }: ContactRow): string => id;

type ListQuery = FilterQuery & { sort: string };

/** Reads one page of the list. */
export async function readContacts(query: Record<string, string | number | boolean>) {
  // The address has texts only, so the types do not fit. The service checks the values.
  const { data } = await api.GET('/contacts', { params: { query: query as never } });
  return data;
}

/** Loads the rows of the list as the person scrolls. */
export function useContactRows(query: ListQuery, place: string): GridPages<ContactRow> {
  const queries = useQueryClient();
  const { can } = useSession();
  const hasNames = can('projects:read');
  const toRows = (contacts: readonly Contact[]) => makeRows(queries, contacts, hasNames);
  return useGridPages<ContactRow>({
    noun: 'contact',
    filter: query,
    place,
    pageSize: PAGE_SIZE,
    rowId,
    read: async ({ cursor, limit, count }) => {
      const { data, pagination } = await readContacts({
        ...query,
        include: 'links',
        limit,
        ...(count && { count }),
        ...(cursor !== undefined && { cursor }),
      });
      return {
        rows: await toRows(data),
        next: pagination.nextCursor,
        totalCount: pagination.totalCount,
        isTotalExact: pagination.totalCountIsExact,
      };
    },
    readRow: async (id) => {
      const contact = await readContact(id);
      return contact && (await toRows([contact]))[0];
    },
  });
}

/** Reads a contact; undefined when it was deleted or merged into another one. */
export async function readContact(contactId: string): Promise<Contact | undefined> {
  const params = { path: { contactId } };
  return (await unlessGone(api.GET('/contacts/{contactId}', { params })))?.data;
}

async function makeRows(
  queries: QueryClient,
  contacts: readonly Contact[],
  hasNames: boolean,
): Promise<ContactRow[]> {
  const links = contacts.flatMap((contact) => contact.links ?? []);
  const unitIds = links.flatMap(({ unitId }) => unitId ?? []);
  const isNamed = hasNames && links.length > 0;
  const [projects, units] = await Promise.all([
    isNamed ? queries.ensureQueryData(PROJECTS) : [],
    isNamed ? readUnits(queries, unitIds) : new Map<string, undefined>(),
  ]);
  return contacts.map((contact) => ({
    ...(Object.fromEntries(FIELDS.map((name) => [name, contact[name]])) as unknown as Pick<
      Contact,
      Field
    >),
    projects: joinNames(contact.links?.map(({ projectId }) => findName(projects, projectId, ''))),
    units: joinNames(contact.links?.map(({ unitId }) => units.get(unitId ?? '')?.name)),
  }));
}

const joinNames = (names: readonly (string | undefined)[] = []): string =>
  [...new Set(names.filter(Boolean))].join(', ');
