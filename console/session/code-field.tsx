import { Field } from '../parts/field.tsx';
import { texts } from './texts.ts';

/** The code of the second step: that of the app, or a recovery code. */
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
