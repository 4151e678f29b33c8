/** The roles of a person. */
export const ROLES = ['owner', 'manager', 'agent', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const ALL: readonly Role[] = ROLES;
const EXCEPT_VIEWERS: readonly Role[] = ['owner', 'manager', 'agent'];
const OWNERS_AND_MANAGERS: readonly Role[] = ['owner', 'manager'];
const OWNERS: readonly Role[] = ['owner'];

interface Permission {
  allows: string;
  /** The roles that have the scope. */
  roles: readonly Role[];
  /** The requests for which a person must have confirmed who they are within 15 minutes: those that write, or all. */
  confirmed?: 'writes' | 'all';
}

/**
 * The permission table: what each scope allows, which roles have it, and which requests need a confirmation. Each route names one
 * of these scopes. The OpenAPI document, the documentation and the tests read this table.
 */
export const PERMISSIONS = {
  'stock:read': { allows: 'Read the stocklist and project pages.', roles: ALL },
  'leads:import': { allows: 'Import contacts, one or a batch.', roles: EXCEPT_VIEWERS },
  'contacts:read': {
    allows: 'Read contacts, their activities, tags, links and changes.',
    roles: ALL,
  },
  'contacts:write': {
    allows: 'Create and change contacts, their activities, tags and links.',
    roles: EXCEPT_VIEWERS,
  },
  'contacts:manage': {
    allows: 'Work with the import log, contact files, duplicates and bulk changes; merge contacts.',
    roles: OWNERS_AND_MANAGERS,
  },
  'contacts:export': {
    allows: "Export contacts and activities, and one person's data.",
    roles: OWNERS_AND_MANAGERS,
    confirmed: 'all',
  },
  'contacts:erase': { allows: 'Erase a person.', roles: OWNERS, confirmed: 'all' },
  'projects:read': { allows: 'Read all projects, units and pictures.', roles: ALL },
  'projects:write': {
    allows: 'Create and change projects, units and pictures.',
    roles: OWNERS_AND_MANAGERS,
  },
  'units:hold': {
    allows: 'Set the status of a unit to Available, On Hold or Reserved.',
    roles: EXCEPT_VIEWERS,
  },
  'settings:read': { allows: 'Read the organization, tags and shared views.', roles: ALL },
  'settings:write': {
    allows: 'Change the organization, tags and shared views.',
    roles: OWNERS_AND_MANAGERS,
  },
  'users:read': { allows: 'Read the people of the account.', roles: ALL },
  'users:write': {
    allows: 'Invite and change people.',
    roles: OWNERS_AND_MANAGERS,
    confirmed: 'writes',
  },
  'keys:write': {
    allows: 'Read, create, rotate and revoke API keys.',
    roles: OWNERS,
    confirmed: 'writes',
  },
  'webhooks:write': { allows: 'Read and change webhooks.', roles: OWNERS, confirmed: 'writes' },
  'events:read': { allows: 'Read the events of the rows that the caller may read.', roles: ALL },
  'audit:read': { allows: 'Read all changes.', roles: OWNERS_AND_MANAGERS },
  'stats:read': { allows: 'Read figures.', roles: ALL },
} as const satisfies Record<string, Permission>;

/** A permission that a route asks for. */
export type Scope = keyof typeof PERMISSIONS;
/** All scopes, for API keys and for people. */
export const SCOPES = Object.keys(PERMISSIONS) as Scope[];

/** Whether a person must have confirmed who they are to use a scope, for reading or for writing. */
export function needsConfirmation(scope: Scope, isRead: boolean): boolean {
  const { confirmed }: Permission = PERMISSIONS[scope];
  return confirmed === 'all' || (confirmed === 'writes' && !isRead);
}

/** The access of an API key, which operators can choose instead of scopes. Later releases add no scopes to it. */
export type Access = 'read' | 'read-write';

const SCOPES_OF_ACCESS: Record<Access, readonly Scope[]> = {
  read: ['stock:read'],
  'read-write': ['stock:read', 'leads:import'],
};

/** Lists the scopes of a role. */
export function listScopesOfRole(role: Role): Scope[] {
  return SCOPES.filter((scope) => PERMISSIONS[scope].roles.includes(role));
}

/** Lists the scopes that an access stands for. */
export const listScopesOfAccess = (access: Access): readonly Scope[] => SCOPES_OF_ACCESS[access];

/** Adds to scopes those that they include: a `write` scope includes the `read` scope of the same noun. */
export function includeReadScopes(scopes: readonly Scope[]): Scope[] {
  const isIncluded = (scope: Scope) =>
    scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write') as Scope);
  return SCOPES.filter(isIncluded);
}
