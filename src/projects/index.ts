export { listProjectEvents, listUnitDeletion, listUnitEvents } from './events.ts';
export { checkRelatedProject, planProject, planUnit, PROJECT, SLUG_TAKEN, UNIT } from './rules.ts';
export * from './schemas.ts';
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
