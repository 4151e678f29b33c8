export {
  accountHold,
  accountInsert,
  accountSlugTake,
  organizationFields,
  organizationUpdate,
  type Organization,
} from './organization.ts';
export { tickStockClock } from './stock-clock.ts';
export { accountFindBySlug, accountList } from './store.ts';
