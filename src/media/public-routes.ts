import fastifyStatic from '@fastify/static';
import { Type } from 'typebox';
import {
  allowEverybody,
  findRepeated,
  invalidRequest,
  makeParameterFault,
  MEDIA_HEADERS,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import { parsePictureKey } from '../platform/text/index.ts';
import { findFile } from './find-file.ts';
import { WIDTHS, type Extension, type Width } from './rules.ts';
import { DEMO_FOLDER } from './uses.ts';

/** The caching headers. A picture never changes, because its key contains the hash of its bytes. */
const STORED = { maxAge: '365d', immutable: true } as const;
const OF_DEMO = { maxAge: '1h' } as const;

/** Adds `GET /media/*`, which serves the pictures that the service stores, and those of the demo account. */
export async function mediaRoutes(server: Server, mediaDir: string): Promise<void> {
  await server.register(async (files: Server) => {
    allowEverybody(files);
    await files.register(fastifyStatic, {
      root: DEMO_FOLDER,
      serve: false,
      index: false,
      setHeaders: (reply) => {
        for (const [name, value] of Object.entries(MEDIA_HEADERS)) void reply.header(name, value);
      },
    });
    const schema = { hide: true, params: Type.Object({ '*': Type.String() }) };
    files.get('/media/*', { schema }, async (request, reply) => {
      const key = request.params['*'];
      // `fetch` of Node.js sends it with If-None-Match, and the plugin would then send the file that the client has.
      delete request.headers['cache-control'];
      if (isBackwards(request.headers.range)) delete request.headers.range;
      const parsed = parsePictureKey(key);
      if (parsed === null) return reply.sendFile(key, OF_DEMO);
      const width = readWidth(request.query as RawQuery);
      const picture = { ...parsed, ext: parsed.ext as Extension };
      return reply.sendFile(await findFile(mediaDir, picture, width), mediaDir, STORED);
    });
  });
}

/** Whether a Range ends before it begins. It is then invalid and ignored, by RFC 9110, 14.1.1; the plugin would answer 416. */
function isBackwards(range = ''): boolean {
  return Array.from(range.matchAll(/(\d+)-(\d+)/g)).some(
    ([, first, last]) => Number(last) < Number(first),
  );
}

/** Reads the width that a request asks for. A picture that is not wider has no file of that width, and is served in its own. */
function readWidth(raw: RawQuery): Width | undefined {
  const repeated = findRepeated(raw);
  if (repeated.length > 0) throw invalidRequest(repeated);
  const faults = Object.keys(raw)
    .filter((name) => name !== 'w')
    .map((name) => makeParameterFault(name, 'is not a parameter here; use w.'));
  const text = raw['w'];
  const width = WIDTHS.find((each) => String(each) === text);
  if (text !== undefined && width === undefined)
    faults.push(makeParameterFault('w', `must be ${WIDTHS.join(', ')}.`));
  if (faults.length > 0) throw invalidRequest(faults);
  return width;
}
