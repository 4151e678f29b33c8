import { newId } from '../../platform/text/index.ts';
import { invalidRequest } from '../../platform/http/index.ts';
import { readImport } from '../request.ts';
import type { FileShape, Import } from '../submission.ts';
import type { Row } from './rows.ts';

/** What a row of a file asks to import. */
export function toRequest({ line, text, value, fault }: Row, file: FileShape): Import {
  return {
    id: newId(),
    receivedAt: new Date(),
    origin: { channel: 'file', apiKeyId: null, requestId: null, position: line, file },
    // PostgreSQL holds no U+0000; a row with one is refused, and the report has it as it was.
    payload: text.replaceAll('\0', '\uFFFD'),
    lead: fault === null ? readImport(value) : unreadable(fault),
  };
}

function unreadable(fault: string) {
  return invalidRequest([{ pointer: '', detail: `${fault}.` }]);
}
