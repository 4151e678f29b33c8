import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sql, { type Sql } from 'sql-template-tag';
import { ROOT } from '../platform/config/index.ts';
import { query, type Queryable } from '../platform/database/index.ts';
import { parsePictureKey } from '../platform/text/index.ts';

/** The folder of the pictures of the demo account. */
export const DEMO_FOLDER = fileURLToPath(new URL('demo/media/', ROOT));

/** Selects the image keys that the rows of an account refer to. */
export function selectUsedKeys(accountId: string): Sql {
  return sql`select logo_image_key as key from accounts
      where account_id = ${accountId} and logo_image_key is not null
    union select hero_image ->> 'key' from projects
      where account_id = ${accountId} and hero_image is not null
    union select json_array_elements(gallery_images) ->> 'key' from projects where account_id = ${accountId}
    union select floor_plan_image ->> 'key' from units
      where account_id = ${accountId} and floor_plan_image is not null`;
}

/** How many rows of each kind refer to a picture. */
export interface Uses {
  organizations: number;
  projects: number;
  units: number;
}

/** Counts the rows of an account that refer to an image key. */
export async function countUses(tx: Queryable, accountId: string, key: string): Promise<Uses> {
  const [uses] = await query<Uses>(
    tx,
    'media_uses_count',
    sql`select
      (select count(*)::int from accounts where account_id = ${accountId} and logo_image_key = ${key}) as organizations,
      (select count(*)::int from projects where account_id = ${accountId} and (hero_image ->> 'key' = ${key} or exists (
        select from json_array_elements(gallery_images) image where image ->> 'key' = ${key}
      ))) as projects,
      (select count(*)::int from units
        where account_id = ${accountId} and floor_plan_image ->> 'key' = ${key}) as units`,
  );
  return uses ?? { organizations: 0, projects: 0, units: 0 };
}

/** Lists the image keys of an account, in order, whose pictures the service does not have. */
export async function listUnservedKeys(
  db: Queryable,
  mediaDir: string,
  accountId: string,
): Promise<{ stored: string[]; others: string[] }> {
  const ofDemo = new Set(readdirSync(DEMO_FOLDER, { recursive: true, encoding: 'utf8' }));
  const rows = await query<{ key: string }>(
    db,
    'media_keys',
    sql`${selectUsedKeys(accountId)} order by key`,
  );
  const keys = Map.groupBy(
    rows.map(({ key }) => key),
    (key) => (parsePictureKey(key) === null ? 'others' : 'stored'),
  );
  return {
    stored: (keys.get('stored') ?? []).filter((key) => !existsSync(join(mediaDir, key))),
    others: (keys.get('others') ?? []).filter((key) => !ofDemo.has(key)),
  };
}
