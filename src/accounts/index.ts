export { ORGANIZATION, planOrganization } from './rules.ts';
export { OrganizationFields, type Organization } from './schemas.ts';
export { findStockClock, forgetStockClocks, tickStockClock } from './stock-clock.ts';
export {
  findAccountBySlug,
  insertAccount,
  listAccounts,
  lockAccount,
  organizationRow,
  readOrganization,
  takeSlug,
  updateOrganization,
} from './store.ts';
