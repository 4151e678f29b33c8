import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  EXPORT_CONNECTIONS,
  readSnapshot,
  type Pool,
  type Queryable,
} from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import type { Scope } from './permissions.ts';
import { createSharedSlots } from './slots.ts';
import { getPrincipal, type Principal } from './principal.ts';

/** The longest time of a download: its snapshot keeps PostgreSQL from removing old rows. */
const DOWNLOAD_MAX_MS = 60 * 60_000;

/** A file that the service makes while it sends it. */
interface Download {
  /** Names the file. `today` is the day at the account, such as 2026-11-30. */
  nameFile: (today: string) => string;
  contentType: string;
  /** Reads the parts of the file in one snapshot. */
  read: (tx: Queryable) => AsyncIterable<string>;
}

/** Streams a file as the answer to a request. Throws a Problem when the account or the process makes too many exports. */
export type SendDownload = (
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
) => Promise<FastifyReply>;

interface DownloadOptions {
  exports: Pool;
  /** Finds the day that it is now at an account. */
  findToday: (accountId: string) => Promise<string>;
  /** Finds the caller of a request again; undefined when they may no longer make requests. */
  recheckPrincipal: (request: FastifyRequest) => Promise<Principal | undefined>;
}

/**
 * Creates the function that streams a file of any size as the answer. It reads a part from the database only when the client has
 * received the part before, so memory holds one part. For an error before the first part, the answer is a problem. After a later
 * error, the service closes the connection before the end of the answer, so that no client takes the file for complete.
 */
export function createDownloads({
  exports,
  findToday,
  recheckPrincipal,
}: DownloadOptions): SendDownload {
  const takeSlot = createSharedSlots({
    maxOfAccount: 2,
    maxOfProcess: EXPORT_CONNECTIONS,
    describe: (max, holder) =>
      `${holder} makes ${max} exports at once; try again when one has ended.`,
    retryMs: 10_000,
  });

  /** Reads the parts of a file. Before each part, it checks that the caller may still read them. */
  async function* produce(
    request: FastifyRequest,
    read: Download['read'],
  ): AsyncGenerator<string, void> {
    const endMs = performance.now() + DOWNLOAD_MAX_MS;
    const freeSlot = takeSlot(getPrincipal(request).accountId);
    try {
      for await (const part of readSnapshot(exports, read)) {
        if (!(await mayRead(request))) throw lostAccess();
        if (performance.now() > endMs) throw tooSlow();
        yield part;
      }
    } finally {
      freeSlot();
    }
  }

  async function mayRead(request: FastifyRequest): Promise<boolean> {
    const principal = await recheckPrincipal(request);
    const { scope } = request.routeOptions.config;
    return principal !== undefined && principal.can(scope as Scope);
  }

  return async function sendDownload(request, reply, { nameFile, contentType, read }) {
    const fileName = nameFile(await findToday(getPrincipal(request).accountId));
    const parts = produce(request, read);
    const first = await parts.next();
    // The answer to a HEAD has no body, so stop reading.
    if (request.method === 'HEAD') await parts.return();
    const stream = Readable.from(request.method === 'HEAD' ? [] : prepend(first, parts));
    // When a stream is destroyed before its first read, it does not end the generator, which holds a connection.
    stream.once('close', () => void parts.return());
    return reply
      .type(contentType)
      .header('content-disposition', formatAttachment(fileName))
      .send(stream);
  };
}

/** Formats the header that names a file. A name with other characters than those of a token is encoded as RFC 8187 says. */
function formatAttachment(name: string): string {
  if (/^[\w.-]+$/.test(name)) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

async function* prepend<T>(first: IteratorResult<T, void>, others: AsyncGenerator<T>) {
  if (first.done) return;
  yield first.value;
  yield* others;
}

function lostAccess(): Problem {
  return new Problem('insufficient_access', 'The caller lost their access during the download.');
}

function tooSlow(): Problem {
  return new Problem('request_timeout', 'The file was not taken within an hour.');
}
