import { CheckField } from '../parts/form/field.tsx';
import { useForm } from '../parts/form/form.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { Help } from '../parts/popup/help.tsx';
import { useSession } from '../session/session.tsx';
import { SCOPES } from './scopes.ts';
import { SCOPE_TEXTS, texts } from './texts.ts';

const FIELDS = ['scopes'];

/** The choice of scopes. It offers only those that the person has: nobody can grant a key more than that. */
export function ScopeFields() {
  const { can } = useSession();
  const { errors } = useForm();
  return (
    <fieldset className="form-choices">
      <legend>
        {texts.scopes} <Help word={texts.scopes}>{texts.scopesHelp}</Help>
      </legend>
      <FormDraft subject="new-key-scopes" fields={FIELDS} />
      {SCOPES.filter((scope) => can(scope)).map((scope) => (
        <CheckField key={scope} name="scopes" value={scope} label={SCOPE_TEXTS[scope]} />
      ))}
      {errors['scopes'] !== undefined && (
        <p className="field-error" role="alert">
          {errors['scopes']}
        </p>
      )}
    </fieldset>
  );
}
