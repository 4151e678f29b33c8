import pino from 'pino';
import { buildApp } from '../src/app/index.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { openPool } from '../src/platform/database/index.ts';

/** Makes the OpenAPI document as the service serves it. It depends on the routes alone, so no database is needed. */
export async function openapiDocument(): Promise<object> {
  const db = openPool('postgresql://nowhere.invalid/none', () => undefined);
  const config = readConfig({}, { MEDIA_BASE_URL: 'https://media.example.com' });
  const app = await buildApp({ config, db, logger: pino({ level: 'silent' }) });
  await app.ready();
  const document = app.swagger();
  await app.close();
  await db.end();
  return document;
}
