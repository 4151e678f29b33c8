import { buildRowSql } from '../platform/database/index.ts';
import { deriveColumns, type Columns } from '../platform/fields/index.ts';
import { ActivityFields, ContactFields, LinkFields } from './schemas.ts';

export const contactRow = buildRowSql({
  id: ['id', 'uuid'],
  emailKey: ['email_key', 'text'],
  ...deriveColumns(ContactFields, { phone: 'phone_primary', mobilePhone: 'phone_mobile' }),
});

const OWN_COLUMNS: Columns = { id: ['id', 'uuid'], contactId: ['contact_id', 'uuid'] };

export const tagRow = buildRowSql({ ...OWN_COLUMNS, tagId: ['tag_id', 'uuid'] });
export const activityRow = buildRowSql({ ...OWN_COLUMNS, ...deriveColumns(ActivityFields) });
export const linkRow = buildRowSql({ ...OWN_COLUMNS, ...deriveColumns(LinkFields) });
