import { LIVE, OTHER_LIVE, OTHER_UNIT, OTHER_USER, UNIT, USER } from './developer.ts';

/*
 * A model of the import, as small as possible, with which tests compare the service. An account is a list of contacts, and the
 * model applies the rules of the API to one lead after another, without batches, transactions or a database.
 */

type Given = string | null | undefined;
type Value = string | number;

/** An import request whose fields all have the right type. */
export interface ModelLead {
  email: string;
  firstName?: Given;
  lastName?: Given;
  name?: Given;
  phone?: Given;
  cityName?: Given;
  notes?: Given;
  tag?: Given;
  tags?: string[] | Given;
  source?: Given;
  sourceExternalOriginalName?: Given;
  buyerType?: Given;
  budget?: number | Given;
  projectId?: Given;
  unitId?: Given;
  assignedAccountUserId?: Given;
}

/** A contact as the model has it, without the service. */
export interface ModelContact {
  /** Its index among all contacts that the steps made. */
  id: number;
  email: string;
  archived: boolean;
  /** The values by the names that `filledFields` uses. */
  fields: Record<string, Value>;
  tags: string[];
  activities: { at: number; body: string }[];
  links: string[];
}

/** The state of the model. */
export interface World {
  /** The contacts in the order in which the steps made them. */
  contacts: ModelContact[];
  /** The labels of the account's tags by their keys. Two labels with one key are one tag. */
  labels: Record<string, string>;
  made: number;
  now: number;
}

export type ModelOutcome =
  | {
      action: 'created' | 'merged';
      id: number;
      email: string;
      filledFields: string[];
      links: [Given, Given];
    }
  | { code: string; pointers: string[]; ids: number[] };

export const EMPTY_WORLD: World = { contacts: [], labels: {}, made: 0, now: 0 };

const ORDER = [
  'name',
  'first_name',
  'last_name',
  'phone_primary',
  'notes',
  'stage',
  'source',
  'source_external_original_name',
  'buyer_type',
  'budget',
  'city_name',
  'imported_at',
  'assigned_account_user',
  'contact_tags',
];
const SOURCES = ['Website', 'Referral', 'Social Media', 'Open Home', 'Agent', 'Other'];
const BUYER_TYPES = new Set(['First Home Buyer', 'Investor', 'Downsizer', 'Upgrader', 'Other']);
const PROJECT_OF: Record<string, string> = { [UNIT]: LIVE, [OTHER_UNIT]: OTHER_LIVE };
const LIVE_PROJECTS = new Set([LIVE, OTHER_LIVE]);
const ACTIVE_USERS = new Set([USER, OTHER_USER]);

const isEmpty = (value: Value | Given): boolean => `${value ?? ''}`.trim() === '';
const given = <T extends Value>(value: T | null | undefined): T | null =>
  isEmpty(value) ? null : (value as T);
const same = (text: string): string => text.trim().normalize('NFC').toLowerCase().normalize('NFC');

/** Imports a lead into a copy of the account. Returns the copy and the answer. */
export function importInto(
  before: World,
  lead: ModelLead,
): { world: World; outcome: ModelOutcome } {
  const refusal = refuse(before, lead);
  if (refusal) return { world: before, outcome: refusal };
  const world = structuredClone(before);
  const found = matching(world, lead.email)[0];
  const contact = found ?? made(world, lead.email.trim());
  const filled = fill(contact, offered(contact, lead));
  contact.archived = false;
  if (given(lead.notes) !== null && latest(contact) !== lead.notes) {
    contact.activities.push({ at: (world.now += 1), body: lead.notes ?? '' });
    filled.push('notes');
  }
  for (const label of labelsOf(lead)) {
    if (contact.tags.includes(same(label))) continue;
    contact.tags.push(same(label));
    world.labels[same(label)] ??= label;
    filled.push('contact_tags');
  }
  const links = [given(lead.projectId), given(lead.unitId)].map((id) => id?.toLowerCase() ?? null);
  const link = links.join(' ');
  if (links[0] !== null && !contact.links.includes(link)) contact.links.push(link);
  return {
    world,
    outcome: {
      action: found ? 'merged' : 'created',
      id: contact.id,
      email: contact.email,
      filledFields: inOrder(filled),
      links: [links[0], links[1]],
    },
  };
}

/** Finds the contacts whose emails have the same key. */
export function matching({ contacts }: World, email: string): ModelContact[] {
  return contacts.filter((each) => same(each.email) === same(email));
}

/** Adds a contact to a copy of the account, even when another one has its email. */
export function addTo(
  before: World,
  { email, fields, archived }: Pick<ModelContact, 'email' | 'fields' | 'archived'>,
): World {
  const world = structuredClone(before);
  Object.assign(made(world, email), { fields: { ...fields }, archived });
  return world;
}

/** Archives the contacts with an email in a copy of the account. */
export function archiveIn(before: World, email: string): World {
  const world = structuredClone(before);
  for (const contact of matching(world, email)) contact.archived = true;
  return world;
}

function made(world: World, email: string): ModelContact {
  const contact: ModelContact = {
    id: world.made,
    email,
    archived: false,
    fields: {},
    tags: [],
    activities: [],
    links: [],
  };
  world.made += 1;
  world.contacts.push(contact);
  return contact;
}

const latest = ({ activities }: ModelContact): string | undefined =>
  activities.toSorted((a, b) => b.at - a.at)[0]?.body;

const inOrder = (names: string[]): string[] => ORDER.filter((name) => names.includes(name));

function fill(contact: ModelContact, values: Record<string, Value | null>): string[] {
  const names = Object.keys(values).filter(
    (name) => !isEmpty(values[name]) && isEmpty(contact.fields[name]),
  );
  for (const name of names) contact.fields[name] = values[name] ?? '';
  return names;
}

function offered({ fields }: ModelContact, lead: ModelLead): Record<string, Value | null> {
  const half = (name: string, sent: Given) => (isEmpty(fields[name]) ? given(sent) : fields[name]);
  const halves = [half('first_name', lead.firstName), half('last_name', lead.lastName)];
  const source = given(lead.source);
  const listed = SOURCES.find((each) => each.toLowerCase() === source?.toLowerCase());
  const sent = given(lead.sourceExternalOriginalName);
  const unlisted = listed === undefined ? source : sent;
  const label = source === null ? (sent ?? 'API Import') : unlisted;
  return {
    name: given(lead.name) ?? joined(halves),
    first_name: given(lead.firstName),
    last_name: given(lead.lastName),
    phone_primary: given(lead.phone),
    city_name: given(lead.cityName),
    budget: given(lead.budget),
    buyer_type: given(lead.buyerType),
    stage: 'New',
    source: listed ?? 'Other',
    source_external_original_name: isEmpty(fields['source']) ? label : sent,
    imported_at: 'then',
    assigned_account_user: given(lead.assignedAccountUserId),
  };
}

const joined = (halves: (Value | Given)[]): string =>
  halves.filter((half) => !isEmpty(half)).join(' ');

function labelsOf({ tag, tags }: ModelLead): string[] {
  const texts = [tag ?? '', ...(typeof tags === 'string' ? tags.split(',') : (tags ?? []))];
  return texts.map((text) => text.normalize('NFC').trim().replace(/\s+/g, ' ')).filter(Boolean);
}

function refuse(world: World, lead: ModelLead): ModelOutcome | undefined {
  const refused = (code: string, pointers: string[], ids: number[] = []) => ({
    code,
    pointers,
    ids,
  });
  const wrong = [
    ...(/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(lead.email.trim()) ? [] : ['/email']),
    ...(isEmpty(lead.buyerType) || BUYER_TYPES.has(lead.buyerType ?? '') ? [] : ['/buyerType']),
  ];
  if (wrong.length > 0) return refused('invalid_request', wrong);
  const project = given(lead.projectId)?.toLowerCase();
  const unit = given(lead.unitId);
  const user = given(lead.assignedAccountUserId);
  const isLive = project !== undefined && LIVE_PROJECTS.has(project);
  const unknown: [string, string][] = [];
  if (unit !== null && project === undefined) unknown.push(['unit_requires_project', '/projectId']);
  if (project !== undefined && !isLive) unknown.push(['project_not_available', '/projectId']);
  if (unit !== null && isLive && PROJECT_OF[unit] !== project)
    unknown.push(['unit_not_in_project', '/unitId']);
  if (user !== null && !ACTIVE_USERS.has(user))
    unknown.push(['user_not_active', '/assignedAccountUserId']);
  const [first] = unknown;
  if (first)
    return refused(
      first[0],
      unknown.map(([, pointer]) => pointer),
    );
  const matches = matching(world, lead.email);
  if (matches.length < 2) return undefined;
  return refused(
    'duplicate_contacts',
    [],
    matches.map(({ id }) => id),
  );
}

export interface ModelMerge {
  filledFields: string[];
  activated: boolean;
  moved: { tags: number; activities: number; links: number };
}

/** Merges all contacts that share the email of one into that one, in a copy of the account. Returns the copy and the report. */
export function mergeInto(before: World, keepId: number): { world: World; report: ModelMerge } {
  const world = structuredClone(before);
  const kept = world.contacts.find(({ id }) => id === keepId);
  if (kept === undefined) throw new Error(`no contact ${keepId}`);
  const others = matching(world, kept.email).filter(({ id }) => id !== keepId);
  const filled = others.flatMap(({ fields }) => fill(kept, fields));
  filled.push(
    ...fill(kept, { name: joined([kept.fields['first_name'], kept.fields['last_name']]) }),
  );
  const activated = kept.archived && others.some(({ archived }) => !archived);
  if (activated) kept.archived = false;
  const counts = [kept.tags.length, kept.activities.length, kept.links.length] as const;
  for (const { tags, activities, links } of others) {
    kept.tags = [...new Set([...kept.tags, ...tags])];
    kept.links = [...new Set([...kept.links, ...links])];
    kept.activities.push(...activities);
  }
  kept.activities.sort((a, b) => a.at - b.at);
  world.contacts = world.contacts.filter((each) => !others.includes(each));
  const moved = {
    tags: kept.tags.length - counts[0],
    activities: kept.activities.length - counts[1],
    links: kept.links.length - counts[2],
  };
  return { world, report: { filledFields: inOrder(filled), activated, moved } };
}
