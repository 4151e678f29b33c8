import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

/** The folder of the pictures that the service itself serves: those of the demo account. */
export const FOLDER = fileURLToPath(new URL('../../demo/media/', import.meta.url));

/** Lists the image keys of an account, in order, for which the service itself has no picture. */
export async function listUnservedKeys(db: Queryable, accountId: string): Promise<string[]> {
  const served = new Set(readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }));
  const rows = await query<{ key: string }>(
    db,
    'media_keys',
    sql`select logo_image_key as key from accounts
        where account_id = ${accountId} and logo_image_key is not null
      union select hero_image ->> 'key' from projects
        where account_id = ${accountId} and hero_image is not null
      union select json_array_elements(gallery_images) ->> 'key' from projects where account_id = ${accountId}
      union select floor_plan_image ->> 'key' from units
        where account_id = ${accountId} and floor_plan_image is not null
      order by key`,
  );
  return rows.map(({ key }) => key).filter((key) => !served.has(key));
}
