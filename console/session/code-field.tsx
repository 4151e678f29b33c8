import { Field } from '../parts/form/field.tsx';
import { texts } from './texts.ts';

/** The field for a code of the second step: one of the app, or a recovery code. */
export function CodeField() {
  return (
    <Field
      label={texts.code}
      name="code"
      hint={texts.codeHint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      required
    />
  );
}
