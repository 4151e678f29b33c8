import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';

/* The bytes of contact files, in chunks. */

/** Stores a chunk of a file. Positions count from 0, without gaps. */
export async function insertChunk(
  db: Queryable,
  accountId: string,
  fileId: string,
  { position, bytes }: { position: number; bytes: Buffer },
): Promise<void> {
  await query(
    db,
    'contact_file_chunk_insert',
    sql`insert into contact_file_chunks (account_id, file_id, position, bytes)
      values (${accountId}, ${fileId}, ${position}, ${bytes})`,
  );
}

/** Reads the bytes of a file, a chunk at a time. */
export async function* readChunks(
  db: Queryable,
  accountId: string,
  fileId: string,
): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const [row] = await query<{ bytes: Buffer }>(
      db,
      'contact_file_chunk_read',
      sql`select bytes from contact_file_chunks
        where account_id = ${accountId} and file_id = ${fileId} and position = ${position}`,
    );
    if (row === undefined) return;
    yield row.bytes;
  }
}

export async function deleteChunks(
  tx: Queryable,
  accountId: string,
  fileId: string,
): Promise<void> {
  await query(
    tx,
    'contact_file_chunks_delete',
    sql`delete from contact_file_chunks where account_id = ${accountId} and file_id = ${fileId}`,
  );
}
