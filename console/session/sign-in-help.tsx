import { ROOT } from '../root.ts';
import { texts } from './texts.ts';

/** The help below the sign-in form: what to do without a password, or when nobody can sign in yet. */
export function SignInHelp({ slug }: { slug: string }) {
  return (
    <div className="session-help">
      <p>{texts.forgot}</p>
      <details>
        <summary>{texts.noOwner}</summary>
        <p>{texts.noOwnerExplain}</p>
        <pre>{texts.noOwnerCommand(slug)}</pre>
        <p>{texts.demo}</p>
      </details>
      <p>
        <a href={`${ROOT}/?choose`}>{texts.otherAccount}</a>
      </p>
    </div>
  );
}
