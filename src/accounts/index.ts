export {
  accountHold,
  accountInsert,
  accountSlugTake,
  organizationUpdate,
  readOrganization,
} from './organization.ts';
export { OrganizationFields, type Organization } from './schemas.ts';
export { tickStockClock } from './stock-clock.ts';
export { accountFindBySlug, accountList } from './store.ts';
