import type { Queryable } from '../../platform/database/index.ts';
import { Problem, problemDetails } from '../../platform/http/index.ts';
import { findMentions } from '../erasure/mentions.ts';
import { deleteChunks, readChunks } from './chunk-store.ts';
import { dropLease } from './lease-store.ts';
import { deleteRefusals } from './refusal-store.ts';
import { listFilesWithBytes, updateFile } from './store.ts';

/** No address is longer, so this much of a chunk is searched again with the next one. */
const OVERLAP_LENGTH = 1_000;

/**
 * Refuses the files of an account that contain one of these emails and are not imported yet, and deletes their bytes, samples and
 * refused rows: a later import would bring an erased person back. An import of such a file ends.
 */
export async function eraseFromFiles(
  tx: Queryable,
  accountId: string,
  emailKeys: string[],
): Promise<void> {
  for (const { id, encoding } of await listFilesWithBytes(tx, accountId)) {
    if (!(await hasEmail(readChunks(tx, accountId, id), encoding, emailKeys))) continue;
    const detail = 'A person in it was erased. Upload it again without them.';
    const problem = problemDetails(new Problem('file_unreadable', detail));
    await updateFile(tx, accountId, id, {
      status: 'refused',
      problem,
      columns: null,
      remarks: null,
    });
    await dropLease(tx, accountId, id);
    await deleteChunks(tx, accountId, id);
    await deleteRefusals(tx, accountId, id);
  }
}

async function hasEmail(
  chunks: AsyncIterable<Buffer>,
  encoding: string | null,
  emailKeys: string[],
): Promise<boolean> {
  const decoder = new TextDecoder(encoding ?? 'utf-8');
  let before = '';
  for await (const chunk of chunks) {
    const text = before + decoder.decode(chunk, { stream: true });
    if (findMentions(text, emailKeys).length > 0) return true;
    before = text.slice(-OVERLAP_LENGTH);
  }
  return false;
}
