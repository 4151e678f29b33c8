import type { Problem } from '../platform/http/index.ts';
import type { IdempotencyClaim } from './idempotency/key.ts';
import type { Lead } from './lead.ts';
import type { ContactImport, ContactImportResult } from './schemas.ts';

/** How the rows of a file are read: the delimiter, and the field of each column (null: left out). */
export interface FileShape {
  name: string;
  /** null for a file of JSON objects, one a line. */
  delimiter: string | null;
  fields: (keyof ContactImport | null)[];
}

/** The way that an import came in. */
export interface Origin {
  channel: 'single' | 'batch' | 'file';
  apiKeyId: string | null;
  requestId: string | null;
  /** The index in a batch, from 0; the line in a file, from 1. */
  position: number | null;
  file: FileShape | null;
}

/** One import. The import log has it under its id, by which it can be retried. */
export interface Import {
  id: string;
  receivedAt: Date;
  origin: Origin;
  /** The text as it was received. */
  payload: string;
  /** The lead, or the problem that refused it on reading. */
  lead: Lead | Problem;
}

/** The result of an import, or the problem that refused it. */
export type Outcome = ContactImportResult | Problem;

/** An answer as it is sent. A repeat of the request gets the same bytes. */
export interface Answer {
  status: number;
  body: string;
}

/** The imports of one request, which are committed together. */
export interface Submission {
  imports: Import[];
  /** Only with an Idempotency-Key: the claim of the request, and the answer to save for repeats. */
  keyed?: { claim: IdempotencyClaim; answer: (outcomes: Outcome[]) => Answer };
}
