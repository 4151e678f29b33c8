import type { Author } from '../../events/index.ts';
import { newId } from '../../platform/text/index.ts';
import { invalidRequest } from '../../platform/http/index.ts';
import type { Import } from '../submission.ts';
import { listUnknownFields, shortenNames } from '../unknown-fields.ts';
import { readFileLead } from './file-leads.ts';
import type { NameFinder } from './names-of-rows.ts';
import type { Row } from './read-rows.ts';
import type { FileShape } from './file-shape.ts';

/* The record of a row in the import log. */

interface RunOfFile {
  shape: FileShape;
  runId: string;
  names: NameFinder;
  author: Author;
}

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
    payload: toStorable(text),
    lead: fault === null ? lead : invalidRequest([{ pointer: '', detail: `${fault}.` }]),
    ignoredFields: shortenNames(listUnknownFields(request)),
    remarks,
  };
}

/**
 * Replaces U+0000, which PostgreSQL does not store. The importer refuses such a row; the report of the command has it unchanged.
 */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
