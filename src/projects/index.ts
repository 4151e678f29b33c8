export { projectFields, unitRow } from './columns.ts';
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
  projectsInsert,
  projectsUpdate,
  relatedProjectsReplace,
  unitsDelete,
  unitsWrite,
  type ChangedProject,
} from './store.ts';
