export { projectFields, unitRow, type Project, type Unit } from './columns.ts';
export { PROJECT_STATUSES, PUBLICATIONS, UNIT_STATUSES, UNIT_TYPES } from './schemas.ts';
export {
  projectsInsert,
  projectsUpdate,
  relatedProjectsReplace,
  unitsDelete,
  unitsWrite,
  type ChangedProject,
} from './store.ts';
