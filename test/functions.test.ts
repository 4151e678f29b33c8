import { importTests } from './functions.ts';

await importTests((file) => !file.startsWith('platform/postgres/'));
