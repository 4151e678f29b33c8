import type { OffplanClient } from './client.ts';
import { sleep } from './retry.ts';
import type { components } from './schema.ts';

export type ContactFile = components['schemas']['ContactFile'];
export type StoredPicture = components['schemas']['StoredPicture'];

export interface Upload {
  /** The bytes. In a page, this is the file that somebody chose. */
  body: Blob | ArrayBuffer | Uint8Array | string;
  /** The media type of the bytes; that of a `Blob` by default. */
  contentType?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface ContactFileUpload extends Upload {
  name?: string | undefined;
  /** `text/csv`, `text/tab-separated-values` or `application/x-ndjson`, with its charset unless that is UTF-8. */
  contentType: string;
}

/** A slow connection takes long for 64 MiB. The service waits as long. */
const TIMEOUT_MS = 15 * 60_000;

/** Sends bytes as they are. */
function describeUpload({ body, contentType, signal }: Upload) {
  return {
    body,
    bodySerializer: () => body as Blob,
    headers: { 'content-type': contentType ?? (body as Blob).type },
    timeoutMs: TIMEOUT_MS,
    ...(signal && { signal }),
  };
}

/** Uploads a file of contacts, which the service then checks: `followContactFile` waits for that. */
export async function uploadContactFile(
  client: OffplanClient,
  { name, ...upload }: ContactFileUpload,
): Promise<ContactFile> {
  const query = name === undefined ? {} : { name };
  const init = { ...describeUpload(upload), params: { query } };
  return (await client.POST('/contact-files', init)).data;
}

/** Uploads a JPEG, PNG, WebP or AVIF picture. The `key` of the answer is for projects and units. */
export async function uploadPicture(client: OffplanClient, upload: Upload): Promise<StoredPicture> {
  return (await client.POST('/media', describeUpload(upload))).data;
}

const BUSY = new Set(['checking', 'queued', 'running', 'stopping', 'undoing']);
const FIRST_DELAY_MS = 125;
const LONGEST_DELAY_MS = 1_000;

/**
 * Follows a contact file: yields it now, and again after each change, until its check, run or undo has ended. After the first
 * answer it retries without limit. The signal ends it without an error.
 */
export async function* followContactFile(
  client: OffplanClient,
  fileId: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ContactFile, void, undefined> {
  let file: ContactFile | undefined;

  async function read(): Promise<ContactFile | undefined> {
    const header = file && { 'If-None-Match': file.etag };
    const { data } = await client.GET('/contact-files/{fileId}', {
      params: { path: { fileId }, ...(header && { header }) },
      ...(signal && { signal }),
      ...(file && { retries: Infinity }),
    });
    // A 304 has no body.
    return data;
  }

  try {
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
      const changed = await read();
      if (changed) yield (file = changed);
      if (!BUSY.has(file?.status ?? '')) return;
      await sleep(delayMs, signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
