import { ORGANIZATION } from '../accounts/index.ts';
import { CONTACT } from '../contacts/index.ts';
import { listNullableFields } from '../platform/fields/index.ts';
import { LIVE_FIELDS, PROJECT, UNIT } from '../projects/index.ts';
import { USER } from '../users/index.ts';
import type { AccountFile } from './schemas.ts';

/** How the operator wants a file to be loaded. */
export interface LoadOptions {
  /** Loads an export although the account has changed since. */
  force?: boolean;
  /** Empties the fields that an entry leaves out or gives as null. */
  replace?: boolean;
  /** Removes the units, pictures and related projects that a list of the file leaves out. */
  prune?: boolean;
  /** Refuses to create an account. */
  existing?: boolean;
  /** Refuses to change an account that exists. */
  isNew?: boolean;
  /** Stores nothing, and takes no lock. */
  dryRun?: boolean;
}

/** How the entries of a file change rows. docs/account-file.md has the table. */
export interface LoadRules {
  isExport: boolean;
  emptiesNull: boolean;
  emptiesAbsent: boolean;
  /** Whether the lists of a project are whole, so that the load removes what they leave out. */
  hasWholeLists: boolean;
  /** The revision of an export. The load must not undo later changes. Null: a file written by hand, or the load is forced. */
  revision: string | null;
}

/** Chooses the rules of a file: an export gives the values that rows shall have, a file written by hand those to add. */
export function chooseLoadRules(
  { revision }: AccountFile,
  { force = false, replace = false, prune = false }: LoadOptions,
): LoadRules {
  const isExport = revision !== undefined;
  return {
    isExport,
    emptiesNull: isExport || replace,
    emptiesAbsent: replace,
    hasWholeLists: isExport || prune,
    revision: isExport && !force ? revision : null,
  };
}

/** Applies the rules for null and absent fields. In the result, null empties a field, and an absent field stays the same. */
export function applyLoadRules(file: AccountFile, rules: LoadRules): AccountFile {
  const { account, users, projects, contacts } = file;
  const result: AccountFile = { ...file, account: { ...account } };
  if (account.organization)
    result.account.organization = emptyFields(ORGANIZATION, [account.organization], rules)[0] ?? {};
  if (users) result.users = emptyFields(USER, users, rules);
  if (contacts) result.contacts = emptyFields(CONTACT, contacts, rules);
  if (projects)
    result.projects = emptyFields(PROJECT, projects, rules, LIVE_FIELDS).map((project) =>
      project?.units === undefined
        ? project
        : { ...project, units: emptyFields(UNIT, project.units, rules) },
    );
  return result;
}

/**
 * Gives null to the nullable fields of these entries that the load must empty, and removes the others that are null. An absent
 * field among `keptFields` stays absent. An invalid entry is undefined.
 */
function emptyFields<Entry extends object>(
  kind: Parameters<typeof listNullableFields>[0],
  entries: Entry[],
  rules: LoadRules,
  keptFields: readonly string[] = [],
): Entry[] {
  const fields = { nullable: listNullableFields(kind), keptFields };
  return entries.map((entry) => emptyFieldsOf(entry, fields, rules));
}

function emptyFieldsOf<Entry extends object | undefined>(
  entry: Entry,
  { nullable, keptFields }: { nullable: string[]; keptFields: readonly string[] },
  { emptiesNull, emptiesAbsent }: LoadRules,
): Entry {
  if (entry === undefined || (emptiesNull && !emptiesAbsent)) return entry;
  const result: Record<string, unknown> = { ...entry };
  for (const field of nullable) {
    if (result[field] === null && !emptiesNull) result[field] = undefined;
    else if (result[field] === undefined && emptiesAbsent && !keptFields.includes(field))
      result[field] = null;
  }
  return result as Entry;
}
