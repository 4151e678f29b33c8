import type { ComponentProps } from 'react';
import { ProblemError } from '../api.ts';
import { Field } from '../parts/form/field.tsx';
import { FieldError } from '../parts/form/form.tsx';
import { texts } from './texts.ts';

export const FIELDS = ['label'];

/** The field for the label of a tag. */
export function LabelField(props: Omit<ComponentProps<'input'>, 'name'>) {
  return <Field label={texts.label} name="label" maxLength={100} required {...props} />;
}

/** Throws the refusal of a label that another tag has as the message of its field, and any other error as it is. */
export function nameTaken(error: unknown): never {
  if (error instanceof ProblemError && error.code === 'label_taken')
    throw new FieldError('label', texts.labelTaken);
  throw error;
}
