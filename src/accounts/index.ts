export {
  accountHold,
  accountInsert,
  accountSlugTake,
  organizationFields,
  organizationUpdate,
} from './organization.ts';
export { OrganizationFields, type Organization } from './schemas.ts';
export { tickStockClock } from './stock-clock.ts';
export { accountFindBySlug, accountList } from './store.ts';
