import type { Author } from '../events/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import type { Answer, IdempotencyClaim } from '../platform/idempotency/index.ts';
import type { FileShape } from './files/rows/file-shape.ts';
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

/** One import. Its record in the import log has the same id, by which it can be retried. */
export interface Import {
  id: string;
  receivedAt: Date;
  origin: Origin;
  /** The author of this import. A retry can have another author than its record. */
  author: Author;
  /** The text as it was received. */
  payload: string;
  /** The lead, or the problem that refused it on reading. */
  lead: Lead | Problem;
  /** The names of unknown members, at most 20. */
  ignoredFields?: string[];
  /** Sentences about values of a file's row that were left out. They are counted over the file. */
  remarks?: string[];
  /** The ids of open records that this import replaces, because an earlier run refused the same row. */
  replacedIds?: string[];
}

/** Returns the leads of imports, without those that were refused on reading. */
export function pickLeads(imports: Import[]): Lead[] {
  return imports.flatMap(({ lead }) => (lead instanceof Problem ? [] : [lead]));
}

/** The result of an import, or the problem that refused it. */
export type Outcome = ContactImportResult | Problem;

/** Counts of the outcomes of some imports. */
export interface OutcomeCounts {
  created: number;
  merged: number;
  refused: number;
}

/** Stores in the transaction of some imports that they are done. When it throws, they are not committed. */
export type RecordDone = (tx: Queryable, counts: OutcomeCounts) => Promise<void>;

/** The imports of one request, which are committed together. */
export interface Submission {
  imports: Import[];
  /** The open record that the one import retries. When it is not open any more, nothing is imported. */
  retriedId?: string;
  /** Only for a request with an Idempotency-Key: its claim, and the function that makes the answer to store for repeats. */
  keyed?: { claim: IdempotencyClaim; makeAnswer: (outcomes: Outcome[]) => Answer };
}

/** The outcomes of a submission's imports. */
export interface Imported {
  outcomes: Outcome[];
  /** The committed versions of contacts by their ids, also those of other submissions. */
  versions: Map<string, number>;
}

/** The result of a submission, or the error that kept all its imports from being committed. */
export type Result = Imported | Error;
