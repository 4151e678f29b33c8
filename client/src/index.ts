export { createClient } from './client.ts';
export type { Answer, ClientOptions, OffplanClient } from './client.ts';
export { listItems, listProjects } from './pages.ts';
export { ProblemError } from './problem.ts';
export type { Problem } from './problem.ts';
export { syncStock } from './stock.ts';
export type { StockChanges, StockState } from './stock.ts';
export type { components, paths } from './schema.ts';
