export {
  lockAccount,
  insertAccount,
  takeSlug,
  updateOrganization,
  readOrganization,
} from './organization.ts';
export { OrganizationFields, type Organization } from './schemas.ts';
export { tickStockClock } from './stock-clock.ts';
export { findAccountBySlug, listAccounts } from './store.ts';
