export { stocklistRoutes } from './routes.ts';
export type { ProjectDetailRow, StocklistItemRow, UnitRow } from './rows.ts';
