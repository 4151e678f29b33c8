import { useQuery } from '@tanstack/react-query';
import { api, type ContactFile } from '../api.ts';
import { groupReasons } from './report.ts';
import { texts } from './texts.ts';

const SHOWN_MAX_COUNT = 10;

/** Why rows of a file were, or would be, refused: each reason with its number of rows, the most frequent first. */
export function Reasons({ file: { id, etag } }: { file: ContactFile }) {
  const { data: reasons = [] } = useQuery({
    queryKey: ['contact_file', id, 'reasons', etag],
    queryFn: async () => {
      const { data } = await api.GET('/contact-files/{fileId}/report.csv', {
        params: { path: { fileId: id } },
        parseAs: 'stream',
      });
      return groupReasons(data as unknown as ReadableStream<Uint8Array>);
    },
    staleTime: Infinity,
  });
  if (reasons.length === 0) return null;
  const others = reasons.length - SHOWN_MAX_COUNT;
  return (
    <div>
      <h3>{texts.report.reasons}</h3>
      <ul className="import-reasons">
        {reasons.slice(0, SHOWN_MAX_COUNT).map(({ reason, count, lines }) => (
          <li key={reason}>
            <span className="import-reason-count">{texts.report.reason(count)}</span>
            <span>
              {reason} <span className="import-hint">{texts.report.lines(lines, count)}</span>
            </span>
          </li>
        ))}
        {others > 0 && <li>{texts.report.moreReasons(others)}</li>}
      </ul>
    </div>
  );
}
