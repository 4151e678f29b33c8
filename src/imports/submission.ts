import type { Author } from '../events/index.ts';
import type { Problem } from '../platform/http/index.ts';
import type { Answer, IdempotencyClaim } from '../platform/idempotency/index.ts';
import type { Columns } from './files/columns.ts';
import type { Spelling } from './files/spelling.ts';
import type { Lead } from './lead.ts';
import type { ContactImportResult } from './schemas.ts';

/** How the rows of a file are read. The import log keeps it with each row, so that a retry reads the row in the same way. */
export interface FileShape extends Pick<Columns, 'fields'> {
  name: string;
  /** null for a file of JSON objects, one a line. */
  delimiter: string | null;
  /** Absent when no two columns share a field, and in records of earlier releases. */
  shared?: Columns['shared'];
  /** Whether the file is a report of refused rows, whose cells have guards. Absent: it is not. */
  isReport?: boolean;
  /** How its dates and names are written. Absent when they are in no special order. */
  spelling?: Spelling;
  /** The values that each row gets, whatever it says itself. Absent when the user sets none. */
  set?: RowValues;
}

/** The values that a user sets for all rows of a file. A row keeps its own tags beside these. */
export interface RowValues {
  source?: string;
  tags?: string[];
  projectId?: string;
  assignedAccountUserId?: string;
}

export type Channel = 'single' | 'batch' | 'file';

/** The way that an import came in. */
export interface Origin {
  channel: Channel;
  apiKeyId: string | null;
  requestId: string | null;
  /** The index in a batch, from 0; the line in a file, from 1. */
  position: number | null;
  file: FileShape | null;
  /** The import of a file that the row belongs to. */
  runId: string | null;
}

/** One import. The import log has it under its id, by which it can be retried. */
export interface Import {
  id: string;
  receivedAt: Date;
  origin: Origin;
  /** The one who imports now; a retry can have another one than the record. */
  author: Author;
  /** The text as it was received. */
  payload: string;
  /** The lead, or the problem that refused it on reading. */
  lead: Lead | Problem;
  /** The names of its members that are no fields, at most 20. */
  ignoredFields?: string[];
  /** Sentences that name the values of a file's row which were left out. They are counted over the file. */
  remarks?: string[];
  /** The ids of open records that this import replaces: they had the same row in an earlier run. */
  replacedIds?: string[];
}

/** The result of an import, or the problem that refused it. */
export type Outcome = ContactImportResult | Problem;

/** The imports of one request, which are committed together. */
export interface Submission {
  imports: Import[];
  /** Only with an Idempotency-Key: the claim of the request, and the answer to save for repeats. */
  keyed?: { claim: IdempotencyClaim; answer: (outcomes: Outcome[]) => Answer };
}
