export { OrganizationFields, type Organization } from './schemas.ts';
export { tickStockClock } from './stock-clock.ts';
export {
  findAccountBySlug,
  insertAccount,
  listAccounts,
  lockAccount,
  readOrganization,
  takeSlug,
  updateOrganization,
} from './store.ts';
