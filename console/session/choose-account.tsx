import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { Field, FormButtons } from '../parts/field.tsx';
import { Form, readText } from '../parts/form.tsx';
import { listKnownSlugs } from './known-accounts.ts';
import { useMaybeMe } from './session.tsx';
import { SessionPage } from './session-page.tsx';
import { texts } from './texts.ts';

/** The page at `/`: goes to the account of the session, or asks for an account's short name. */
export function ChooseAccount() {
  const [, navigate] = useLocation();
  const { data: me } = useMaybeMe();
  const known = listKnownSlugs();
  const slug = me?.account.slug ?? (me === null && known.length === 1 ? known[0] : undefined);
  useEffect(() => {
    if (slug !== undefined) navigate(`/a/${slug}/`, { replace: true });
  }, [slug, navigate]);
  return (
    <SessionPage title={texts.chooseTitle}>
      <Form onSubmit={async (values) => navigate(`/a/${readText(values, 'slug') ?? ''}/`)}>
        <Field
          label={texts.account}
          name="slug"
          hint={texts.chooseHint}
          pattern="[a-z0-9\-]+"
          list="known-accounts"
          required
        />
        <datalist id="known-accounts">
          {known.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <FormButtons act={texts.go} />
      </Form>
    </SessionPage>
  );
}
