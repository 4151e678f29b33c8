import type { Problem } from '../platform/http/index.ts';
import type { IdempotencyClaim } from './idempotency/key.ts';
import type { Lead } from './lead.ts';
import type { ContactImportResult } from './schemas.ts';

/** How the row of a file is read: what its cells are separated by, and the field of each (null: left out). */
export interface FileShape {
  name: string;
  /** null for a file of JSON objects, one a line. */
  delimiter: string | null;
  fields: (string | null)[];
}

/** Where an import came from. */
export interface Origin {
  channel: 'single' | 'batch' | 'file';
  apiKeyId: string | null;
  requestId: string | null;
  /** The index in a batch, from 0; the line in a file, from 1. */
  position: number | null;
  file: FileShape | null;
}

/** One import on its way. The log keeps it under its id, under which it can be put through again. */
export interface Import {
  id: string;
  receivedAt: Date;
  origin: Origin;
  /** The text as it was received. */
  payload: string;
  /** What it asks for, or why it was refused on reading. */
  lead: Lead | Problem;
}

/** What an import is answered with. */
export type Outcome = ContactImportResult | Problem;

/** An answer as it is sent: bytes that a repeat of the request gets again. */
export interface Answer {
  status: number;
  body: string;
}

/** Imports that are committed together. */
export interface Submission {
  imports: Import[];
  /** Of a request that its client has named: its claim, and the answer to keep under it. */
  keyed?: { claim: IdempotencyClaim; answer: (outcomes: Outcome[]) => Answer };
}
