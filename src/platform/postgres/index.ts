export type { Note } from './data-folder.ts';
export { EmbeddedPostgresError } from './error.ts';
export { startEmbedded, type EmbeddedPostgres } from './start.ts';
