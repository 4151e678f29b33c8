import { Type } from 'typebox';
import { describePage } from '../../platform/http/index.ts';

export const DUPLICATE_LIST = {
  filter: Type.Object({}, { additionalProperties: false }),
  sorts: ['email'],
} as const;

const DuplicateEmail = Type.Object(
  {
    email: Type.String({ description: 'The form in which emails are compared.' }),
    contacts: Type.Array(Type.Ref('Contact#')),
  },
  { $id: 'DuplicateEmail', description: 'An email, and the contacts that have it.' },
);

const DuplicateEmailList = describePage(
  'DuplicateEmail',
  'A page of emails that several contacts have.',
);

export const DUPLICATE_SCHEMAS = [DuplicateEmail, DuplicateEmailList];
