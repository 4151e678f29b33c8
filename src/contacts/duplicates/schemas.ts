import { Type } from 'typebox';

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

const DuplicateEmailList = Type.Object(
  { data: Type.Array(Type.Ref('DuplicateEmail#')), pagination: Type.Ref('Pagination#') },
  { $id: 'DuplicateEmailList', description: 'A page of emails that several contacts have.' },
);

export const DUPLICATE_SCHEMAS = [DuplicateEmail, DuplicateEmailList];
