export {
  checkRelatedProject,
  findLongDescription,
  planProject,
  planUnit,
  PROJECT,
  SLUG_TAKEN,
  UNIT,
} from './rules.ts';
export * from './schemas.ts';
export { projectRow, readProjects, unitRow, type ProjectWithUnits } from './store.ts';
export { listStockEvents, writeStockRows, type StockChanges } from './write.ts';
export { unitExportRoutes } from './units/export.ts';
export { unitRoutes } from './units/routes.ts';
export { createUnitReader } from './units/service.ts';
export { createProjectReader } from './list/service.ts';
export { projectRoutes } from './routes.ts';
