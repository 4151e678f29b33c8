export { EmbeddedPostgresError } from './error.ts';
export { startEmbedded, type EmbeddedPostgres } from './start.ts';
