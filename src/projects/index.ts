export { createProjectReader, requireProject } from './list/service.ts';
export { projectRoutes } from './routes.ts';
export {
  checkRelatedProject,
  findLongDescription,
  planProject,
  planUnit,
  PROJECT,
  SLUG_TAKEN,
  UNIT,
} from './rules.ts';
export {
  LIVE_FIELDS,
  PROJECT_STATUSES,
  ProjectFields,
  UNIT_STATUSES,
  UNIT_TYPES,
  UnitFields,
  type Project,
  type Unit,
} from './schemas.ts';
export { editStock, type StockEditor } from './stock-edit.ts';
export { projectRow, readProjects, unitRow, type ProjectWithUnits } from './store.ts';
export type { BatchRow } from './units/batch/rules.ts';
export { UnitBatchResult, UnitBatchRow } from './units/batch/schemas.ts';
export { changeUnits, findUnitFaults } from './units/batch/service.ts';
export { unitExportRoutes } from './units/export.ts';
export { UNIT_LIST } from './units/filter.ts';
export { createLotFinder } from './units/lots.ts';
export { unitRoutes } from './units/routes.ts';
export { createUnitReader } from './units/service.ts';
export { findUnitsOfProject } from './units/store.ts';
export { listStockEvents, writeStockRows, type StockChanges } from './write.ts';
