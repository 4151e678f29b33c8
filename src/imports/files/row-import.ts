import type { Author } from '../../events/index.ts';
import { newId, toStorable } from '../../platform/text/index.ts';
import { invalidRequest } from '../../platform/http/index.ts';
import type { Import } from '../submission.ts';
import { listUnknownFields, shortenNames } from '../unknown-fields.ts';
import { readFileLead } from './leads/file-leads.ts';
import type { NameFinder } from './leads/name-finder.ts';
import type { Row } from './rows/read-rows.ts';
import type { FileShape } from './rows/file-shape.ts';

interface RunOfFile {
  shape: FileShape;
  runId: string;
  names: NameFinder;
  author: Author;
}

/** Makes the import of a row of a file. */
export function toImport(row: Row, { shape, runId, names, author }: RunOfFile): Import {
  const { line, text, fault } = row;
  const now = new Date();
  const { lead, request, remarks } = readFileLead(row, shape, names, now);
  return {
    id: newId(),
    receivedAt: now,
    origin: {
      channel: 'file',
      apiKeyId: author.actor.id,
      requestId: null,
      position: line,
      file: shape,
      runId,
    },
    author,
    // The import refuses a row with U+0000, which PostgreSQL cannot store. The report of the command has the row unchanged.
    payload: toStorable(text),
    lead: fault === null ? lead : invalidRequest([{ pointer: '', detail: `${fault}.` }]),
    ignoredFields: shortenNames(listUnknownFields(request)),
    remarks,
  };
}
