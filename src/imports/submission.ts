import type { Author } from '../events/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { Problem } from '../platform/http/index.ts';
import type { Answer, IdempotencyClaim } from '../platform/idempotency/index.ts';
import type { FileShape } from './files/file-shape.ts';
import type { Channel, Lead } from './lead.ts';
import type { ContactImportResult } from './schemas.ts';

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

/** Counts of the outcomes of some imports. */
export interface OutcomeCounts {
  created: number;
  merged: number;
  refused: number;
}

/** Stores in the transaction of some imports that they are done. When it throws, they are not. */
export type RecordDone = (tx: Queryable, counts: OutcomeCounts) => Promise<void>;

/** The imports of one request, which are committed together. */
export interface Submission {
  imports: Import[];
  /** Only with an Idempotency-Key: the claim of the request, and the answer to save for repeats. */
  keyed?: { claim: IdempotencyClaim; answer: (outcomes: Outcome[]) => Answer };
}
