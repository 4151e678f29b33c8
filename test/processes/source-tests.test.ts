import { importTests } from '../support/source-tests.ts';

// These copy the programs of PostgreSQL, and start them.
await importTests((file) => file.startsWith('platform/postgres/'));
