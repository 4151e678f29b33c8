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
  readProjects,
  relatedProjectsReplace,
  unitsDelete,
  unitsWrite,
  type ChangedProject,
  type ProjectWithUnits,
} from './store.ts';
