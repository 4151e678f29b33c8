import type { ContactFile } from '../api.ts';
import { nameFields, toSentence } from '../parts/text/sentence.ts';
import { nameField, texts } from './texts.ts';

type Run = NonNullable<ContactFile['run']>;

/** Lists the most frequent reasons why rows were, or would be, refused, each with its number of rows. */
export function Reasons({ run: { reasons }, title }: { run: Run; title: string }) {
  return <RowCounts title={title} of={reasons} />;
}

/** Lists the values that an import leaves out or changes, or would, each with its number of rows. */
export function Remarks({ run: { remarks }, title }: { run: Run; title: string }) {
  return <RowCounts title={title} of={remarks} />;
}

function RowCounts({
  title,
  of,
}: {
  title: string;
  of: readonly { detail: string; count: number }[];
}) {
  if (of.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul className="import-reasons">
        {of.map(({ detail, count }) => (
          <li key={detail}>
            <span className="import-reason-count">{texts.report.reason(count)}</span>
            <span>{toSentence(nameFields(detail, nameShortly))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Names a field without its explanation: "Project" for "Project, by its name". */
const nameShortly = (field: string): string => nameField(field).replace(/,.*/, '');
