export { listOrganizationEvents } from './events.ts';
export {
  calculateRaised,
  lockRevision,
  raiseRevision,
  readRevision,
  recordEvents,
  selectRevision,
  selectRevisionOfContact,
  startRevision,
  storeRaised,
  type Locked,
  type Raised,
} from './revision.ts';
export { organizationRoutes } from './routes.ts';
export { ORGANIZATION, planOrganization } from './rules.ts';
export {
  OrganizationFields,
  type AgentsSee,
  type Organization,
  type SecondStepFor,
} from './schemas.ts';
export { createOrganizationReader, renameAccount, SlugTakenError } from './service.ts';
export {
  findStockClockMs,
  clearStockClockCache,
  waitForStockCaches,
  tickStockClock,
} from './stock-clock.ts';
export {
  deleteAccountRow,
  describeAccount,
  findOrganization,
  findAccountBySlug,
  findToday,
  insertAccount,
  listAccounts,
  lockAccount,
  organizationRow,
  readOrganization,
  reserveSlug,
  updateOrganization,
} from './store.ts';
