import type { Queryable } from '../../src/platform/database/index.ts';
import type { ModelContact, World } from './contact-model.ts';
import { run } from './sql.ts';

/** The part of an account that the model covers; its contacts have their stored ids. */
export interface State {
  contacts: (Omit<ModelContact, 'id' | 'activities'> & { id: string; activities: string[] })[];
  labels: World['labels'];
  /** Channel, position, payload and outcome of each import in the log. */
  log: [string, number | null, string | null, string][];
}

interface Stored {
  row: Record<string, string | number | null> & { id: string; email: string };
  tags: string[];
  links: string[];
  activities: string[];
}

const STATE = `select json_build_object(
  'contacts', (select coalesce(json_agg(json_build_object(
    'row', to_jsonb(c),
    'tags', array(select label_key from contact_tags t join tags on tags.account_id = $1 and tags.id = tag_id
      where t.account_id = $1 and contact_id = c.id order by 1),
    'links', array(select concat_ws(' ', project_id, coalesce(unit_id::text, '')) from contact_links l
      where l.account_id = $1 and contact_id = c.id order by 1),
    'activities', array(select body from activities a
      where a.account_id = $1 and contact_id = c.id and type <> 'enquiry' order by occurred_at, a.id)
    ) order by c.id), '[]') from contacts c where account_id = $1),
  'labels', (select coalesce(json_object_agg(label_key, label), '{}') from tags where account_id = $1),
  'log', (select coalesce(json_agg(json_build_array(channel, position, payload, outcome) order by id), '[]')
    from imports where account_id = $1)) as state`;

/** Columns of contacts that the model does not have. */
const UNMODELLED = new Set([
  'version',
  'revision',
  'updated_at',
  'created_at',
  'latest_activity_at',
  'last_activity_at',
  'first_answer_at',
  'name_key',
  'search_text',
  'has_phone',
  'has_tag',
  'has_project',
  'project_ids',
  'has_unit',
]);

/** Maps a stored contact to the model's form: without null columns, and with `then` as the time of its import. */
function asModelled({ row, ...parts }: Stored): State['contacts'][number] {
  const { account_id: _, id, email, email_key: __, archived_at: archived, ...columns } = row;
  const { imported_at: importedAt, assigned_account_user_id: user, ...more } = columns;
  const others = Object.fromEntries(Object.entries(more).filter(([name]) => !UNMODELLED.has(name)));
  const all = { ...others, imported_at: importedAt && 'then', assigned_account_user: user };
  const fields: ModelContact['fields'] = {};
  for (const [name, value] of Object.entries(all)) if (value != null) fields[name] = value;
  return { id, email, archived: archived !== null, fields, ...parts };
}

/** Reads an account from the database. */
export async function stateOf(db: Queryable, accountId: string): Promise<State> {
  const { rows } = await run(db, STATE, [accountId]);
  const { state } = rows[0] as { state: Omit<State, 'contacts'> & { contacts: Stored[] } };
  return { ...state, contacts: state.contacts.map(asModelled) };
}

/** Maps a model to the state that the database must have; `ids` are the ids of its contacts. */
export function expectedState({ contacts, labels }: World, ids: string[]): Omit<State, 'log'> {
  return {
    contacts: contacts.map((contact) => ({
      ...contact,
      id: ids[contact.id] ?? '',
      tags: contact.tags.toSorted(),
      links: contact.links.toSorted(),
      activities: contact.activities.map(({ body }) => body),
    })),
    labels,
  };
}
