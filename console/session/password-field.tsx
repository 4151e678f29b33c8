import { useState, type ComponentProps } from 'react';
import { Button } from '../parts/button/button.tsx';
import { Field } from '../parts/form/field.tsx';
import { texts } from './texts.ts';
import './password-field.css';

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'label' | 'name' | 'type'> & {
  label?: string;
  name?: string;
};

/** A password field with a button that shows the typed text. */
export function PasswordField({
  label = texts.password,
  name = 'password',
  ...others
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="password-field">
      <Field
        label={label}
        name={name}
        autoCapitalize="none"
        spellCheck={false}
        required
        {...others}
        type={isShown ? 'text' : 'password'}
      />
      <Button
        look="bare"
        className="password-field-show"
        aria-label={texts.showPassword(isShown ? texts.hide : texts.show, label)}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? texts.hide : texts.show}
      </Button>
    </div>
  );
}

/** A field for a new password, with the rule for it. */
export function NewPasswordField({ label }: { label?: string }) {
  return (
    <PasswordField
      {...(label !== undefined && { label })}
      autoComplete="new-password"
      hint={texts.passwordRule}
      minLength={12}
      maxLength={200}
    />
  );
}
