import { createHash } from 'node:crypto';
import { isPictureName, placeFile, removeFile } from '../../media/index.ts';
import { BackupError, COMMENT, type PictureHeader } from './format.ts';
import type { BackupReader } from './read-backup.ts';

/** Puts the pictures of a backup into the folder of an account. */
export interface PictureTarget {
  /** Reads the bytes of one file of a picture from the backup. */
  restore: (reader: BackupReader, header: PictureHeader) => Promise<void>;
  /** Removes the files that were not there before. */
  discard: () => Promise<void>;
}

export function createPictureTarget(mediaDir: string, accountId: string): PictureTarget {
  const placed: string[] = [];
  return {
    async restore(reader, header) {
      const path = `${accountId}/${header.picture}`;
      if (!isPictureName(header.picture)) throw damaged(header);
      const bytes = await readFile(reader, header);
      const isNew = await placeFile(mediaDir, path, bytes).catch((error: NodeJS.ErrnoException) => {
        throw new BackupError(
          `its pictures cannot be stored in ${mediaDir} (${error.code}): let this user write there, free space, or name another folder in OFFPLAN_MEDIA_DIR`,
        );
      });
      if (isNew) placed.push(path);
    },
    async discard() {
      for (const path of placed) await removeFile(mediaDir, path);
    },
  };
}

async function readFile(reader: BackupReader, header: PictureHeader): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  while (bytes < header.bytes) {
    const line = await reader.readLine();
    if (line === null) throw new BackupError('it was cut off');
    const part = Buffer.from(line.slice(COMMENT.length), 'base64');
    if (part.length === 0) throw damaged(header);
    parts.push(part);
    bytes += part.length;
  }
  const whole = Buffer.concat(parts);
  const sha256 = createHash('sha256').update(whole).digest('hex');
  if (sha256 !== header.sha256) throw damaged(header);
  return whole;
}

const damaged = ({ picture }: PictureHeader): BackupError =>
  new BackupError(`it is damaged: the picture ${picture} is not the one that was saved`);
