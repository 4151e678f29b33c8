export { unitRow, writtenProject } from './columns.ts';
export {
  PROJECT_STATUSES,
  ProjectFields,
  UNIT_STATUSES,
  UNIT_TYPES,
  UnitFields,
  type Project,
  type Unit,
} from './schemas.ts';
export {
  insertProjects,
  updateProjects,
  readProjects,
  replaceRelatedProjects,
  deleteUnits,
  upsertUnits,
  type ChangedProject,
  type ProjectWithUnits,
} from './store.ts';
