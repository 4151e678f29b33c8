export { checkRelated, planProject, planUnit, PROJECT, SLUG_TAKEN, UNIT } from './rules.ts';
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
  deleteUnits,
  projectRow,
  readProjects,
  replaceRelatedProjects,
  unitRow,
  writeProjects,
  writeUnits,
  type ProjectWithUnits,
} from './store.ts';
