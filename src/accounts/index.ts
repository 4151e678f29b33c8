export { ORGANIZATION, planOrganization } from './rules.ts';
export { OrganizationFields, type Organization } from './schemas.ts';
export { findStockClockMs, clearStockClockCache, tickStockClock } from './stock-clock.ts';
export {
  findAccountBySlug,
  insertAccount,
  listAccounts,
  lockAccount,
  organizationRow,
  readOrganization,
  reserveSlug,
  updateOrganization,
} from './store.ts';
