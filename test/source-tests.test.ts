import { importTests } from './source-tests.ts';

await importTests((file) => !file.startsWith('platform/postgres/'));
