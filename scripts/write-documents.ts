/*
 * Writes the documents that are made from the schemas, and committed so that they can be read:
 *
 *   npm run documents
 */
import { writeFile } from 'node:fs/promises';
import { createAccountFileSchema } from '../src/portability/schemas.ts';
import { openapiDocument } from './openapi.ts';

async function write(name: string, document: object): Promise<void> {
  const file = new URL(`../docs/${name}`, import.meta.url);
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}

await write('account-file.schema.json', createAccountFileSchema());
await write('openapi.json', await openapiDocument());
