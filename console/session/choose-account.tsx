import { useEffect } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { listKnownSlugs } from './known-accounts.ts';
import { useMaybeMe } from './session.tsx';
import { SessionPage } from './session-page.tsx';
import { chooseTexts } from './choose-texts.ts';
import { texts } from './texts.ts';

/**
 * The page at `/`. It opens the account of the session, or else the only account that this browser knows; otherwise it asks for the
 * account's slug. `/?choose` always asks.
 */
export default function ChooseAccount() {
  const [, navigate] = useLocation();
  const { data: me } = useMaybeMe();
  const known = listKnownSlugs();
  const isAsked = useSearch() === 'choose';
  const only = known.length === 1 ? known[0] : undefined;
  const slug = isAsked ? undefined : (me?.account.slug ?? (me === null ? only : undefined));
  useEffect(() => {
    if (slug !== undefined) navigate(`/a/${slug}/`, { replace: true });
  }, [slug, navigate]);
  return (
    <SessionPage title={chooseTexts.chooseTitle}>
      <Form onSubmit={async (values) => navigate(`/a/${readText(values, 'slug') ?? ''}/`)}>
        <Field
          label={texts.account}
          name="slug"
          hint={chooseTexts.chooseHint}
          pattern="[a-z0-9\-]+"
          required
        />
        <FormButtons action={chooseTexts.go} />
      </Form>
      {known.length > 0 && (
        <nav aria-label={chooseTexts.chooseKnown}>
          <p className="soft">{chooseTexts.chooseKnown}</p>
          <ul className="session-known">
            {known.map((each) => (
              <li key={each}>
                <Link href={`/a/${each}/`}>{each}</Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </SessionPage>
  );
}
