import { createPersonTest, type PersonNames } from '../../contacts/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { Problem, problemDetails } from '../../platform/http/index.ts';
import { findEncoding } from '../files/csv/decode.ts';
import { listNamedRuns, renameFileOfRuns, type NamedRun } from '../log/run-store.ts';
import { findMentions } from '../person/mentions.ts';
import { deleteChunks, readChunks } from './chunk-store.ts';
import { revokeLease } from './lease-store.ts';
import { deleteRefusals } from './refusal-store.ts';
import { readFileName } from './rules.ts';
import { listFileNames, listUploadedFiles, lockFilesWithBytes, updateFile } from './store.ts';

/** No address is longer, so this much of the end of a chunk is searched with the next one when no word ends in it. */
const OVERLAP_LENGTH = 1_000;

/** For each searched file, by its id, whether it contains one of the emails. */
type SearchedFiles = ReadonlyMap<string, boolean>;

/** Searches the uploaded files of an account for emails. It takes no lock, since large files take seconds. */
export async function searchFiles(
  tx: Queryable,
  accountId: string,
  emailKeys: string[],
): Promise<SearchedFiles> {
  const found = new Map<string, boolean>();
  for (const { id, encoding } of await listUploadedFiles(tx, accountId))
    found.set(id, await hasEmail(readChunks(tx, accountId, id), encoding, emailKeys));
  return found;
}

/**
 * Refuses the files of an account that contain one of these emails and are not imported yet, and deletes their bytes, samples and
 * refused rows: a later import would bring an erased person back. An import of such a file ends. The bytes of a file that was
 * searched before are the same, so it only searches the others. Returns the ids of the files that it refused.
 */
export async function eraseFromFiles(
  tx: Queryable,
  accountId: string,
  emailKeys: string[],
  searched: SearchedFiles,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { id, encoding } of await lockFilesWithBytes(tx, accountId)) {
    const isMentioned =
      searched.get(id) ?? (await hasEmail(readChunks(tx, accountId, id), encoding, emailKeys));
    if (!isMentioned) continue;
    // Drop the lease of a check first: an account has one lease of a file in another status.
    await revokeLease(tx, accountId, id);
    const detail =
      'A person in the file was erased. Remove this person from the file, and upload it again.';
    const problem = problemDetails(new Problem('file_unreadable', detail));
    await updateFile(tx, accountId, id, {
      status: 'refused',
      problem,
      columns: null,
      remarks: null,
    });
    await deleteChunks(tx, accountId, id);
    await deleteRefusals(tx, accountId, id);
    ids.push(id);
  }
  return ids;
}

/**
 * Lists the files that an erasure of a person would refuse or rename: those that contain one of the emails and are not imported yet,
 * and those whose name names the person, also in the import log.
 */
export async function listFilesNaming(
  tx: Queryable,
  accountId: string,
  person: PersonNames,
  emailKeys: string[],
): Promise<{ id: string; name: string }[]> {
  const namesPerson = createPersonTest(person);
  const searched = await searchFiles(tx, accountId, emailKeys);
  const files = [...(await listFileNames(tx, accountId)), ...(await listNamedRuns(tx, accountId))];
  const found = files.filter(({ id, name }) => searched.get(id) === true || namesPerson(name));
  return [...new Map(found.map(({ id, name }) => [id, { id, name }])).values()];
}

/**
 * Renames the files of an account whose name names an erased person, also in the import log, whose `runs` were read before. Returns
 * the ids of the uploaded files that it renamed.
 */
export async function eraseFromFileNames(
  tx: Queryable,
  accountId: string,
  person: PersonNames,
  runs: NamedRun[],
): Promise<string[]> {
  const namesPerson = createPersonTest(person);
  const isOfPerson = ({ name }: { name: string }) => namesPerson(name);
  const files = (await listFileNames(tx, accountId)).filter(isOfPerson);
  for (const { id, mediaFormat } of files) {
    // A running import writes the old name into the log. Without its lease it can write nothing, and a worker starts it again.
    await revokeLease(tx, accountId, id);
    await updateFile(tx, accountId, id, { name: readFileName(undefined, mediaFormat) });
  }
  const runIds = runs.filter(isOfPerson).map(({ id }) => id);
  await renameFileOfRuns(tx, accountId, runIds, readFileName(undefined, 'csv'));
  return files.map(({ id }) => id);
}

async function hasEmail(
  chunks: AsyncIterable<Buffer>,
  encoding: string | null,
  emailKeys: string[],
): Promise<boolean> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let before = '';
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(findEncoding(chunk, encoding));
    const text = before + decoder.decode(chunk, { stream: true });
    const end = findEndOfWords(text);
    if (findMentions(text.slice(0, end), emailKeys).length > 0) return true;
    before = text.slice(end ?? -OVERLAP_LENGTH);
  }
  return findMentions(before, emailKeys).length > 0;
}

/** Finds the end of the last complete word: the next chunk may begin with the rest of the last one. */
function findEndOfWords(text: string): number | undefined {
  const start = Math.max(0, text.length - OVERLAP_LENGTH);
  const words = /^.*[\s,;]/su.exec(text.slice(start))?.[0];
  return words === undefined ? undefined : start + words.length;
}
