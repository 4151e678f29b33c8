import { importTests } from './support/source-tests.ts';

await importTests((file) => !file.startsWith('platform/postgres/'));
