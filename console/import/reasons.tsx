import type { ContactFile } from '../api.ts';
import { toSentence } from '../parts/format.ts';
import { texts } from './texts.ts';

/** Why rows of a file were, or would be, refused: the commonest reasons with their numbers of rows. */
export function Reasons({ run }: Pick<ContactFile, 'run'>) {
  const reasons = run?.reasons ?? [];
  if (reasons.length === 0) return null;
  return (
    <div>
      <h3>{texts.report.reasons}</h3>
      <ul className="import-reasons">
        {reasons.map(({ code, detail, count }) => (
          <li key={`${code} ${detail}`}>
            <span className="import-reason-count">{texts.report.reason(count)}</span>
            <span>{toSentence(detail)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
