import { buildRowSql } from '../platform/database/index.ts';
import { deriveColumns, type Columns } from '../platform/fields/index.ts';
import { ActivityFields, ContactFields, LinkFields } from './schemas.ts';

const CONTACT_COLUMNS: Columns = {
  id: ['id', 'uuid'],
  emailKey: ['email_key', 'text'],
  ...deriveColumns(ContactFields, { phone: 'phone_primary', mobilePhone: 'phone_mobile' }),
};

/** The SQL of the columns of `contacts`. */
export const contactRow = buildRowSql(CONTACT_COLUMNS);

/** The columns of a contact, with those by which lists and figures filter, sort and search. `addListValues` derives the latter. */
export const contactRowWithListValues = buildRowSql(
  {
    ...CONTACT_COLUMNS,
    nameKey: ['name_key', 'text'],
    searchText: ['search_text', 'text'],
    hasPhone: ['has_phone', 'boolean'],
    hasTag: ['has_tag', 'boolean'],
    hasProject: ['has_project', 'boolean'],
    projectIds: ['project_ids', 'uuid[]'],
    hasUnit: ['has_unit', 'boolean'],
    latestActivityAt: ['latest_activity_at', 'timestamptz(3)'],
    firstAnswerAt: ['first_answer_at', 'timestamptz(3)'],
  },
  {
    fixed: ['id'],
    // A writer knows only the new tags, links and activities, so an update must keep what the stored ones have set.
    rising: ['hasTag', 'hasProject', 'hasUnit', 'latestActivityAt'],
    falling: ['firstAnswerAt'],
    growing: ['projectIds'],
  },
);

const OWN_COLUMNS: Columns = { id: ['id', 'uuid'], contactId: ['contact_id', 'uuid'] };

export const tagRow = buildRowSql({ ...OWN_COLUMNS, tagId: ['tag_id', 'uuid'] });
export const activityRow = buildRowSql({
  ...OWN_COLUMNS,
  ...deriveColumns(ActivityFields),
  values: ['"values"', 'json'],
  actorType: ['actor_type', 'text'],
  actorId: ['actor_id', 'uuid'],
  createdAt: ['created_at', 'timestamptz(3)'],
});
export const linkRow = buildRowSql({ ...OWN_COLUMNS, ...deriveColumns(LinkFields) });
