import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Problem, unavailable } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import { STOP_SIGNALS } from '../platform/signals/index.ts';
import {
  PIXELS_MAX,
  SIDE_MAX,
  type Conversion,
  type ConversionResult,
  type Converted,
} from './rules.ts';

const PROGRAM = fileURLToPath(new URL(`./converter${extname(import.meta.url)}`, import.meta.url));

/** The longest time of a conversion. A large picture takes a few seconds. */
const TIMEOUT_MS = 120_000;
const LIMITS = { slots: 1, slotsPerAccount: 1, maxWaitMs: 30_000 };

const runFair = createFairQueue(LIMITS);
const run = promisify(execFile);

/**
 * Converts an upload to a picture without metadata, and to smaller sizes. Each conversion runs in a process of its own, one at a
 * time. Throws a 422 for an upload that is not a complete picture of its type, and a 503 when the queue is too long.
 */
export async function convertPicture(
  accountId: string,
  conversion: Conversion,
): Promise<Converted> {
  let hasBegun = false;
  const result = await runFair(accountId, () => {
    hasBegun = true;
    return runConverter(conversion);
  }).catch((error: unknown) => {
    throw hasBegun
      ? error
      : unavailable('The service converts other pictures at the moment. Send this one again.');
  });
  if (!('refused' in result)) return result;
  throw mediaUnreadable(
    result.refused === 'too_many_pixels'
      ? `The picture has more than ${PIXELS_MAX / 1e6} megapixels, or a side of more than ${SIDE_MAX} pixels.`
      : 'The body is damaged, or is not a picture of its Content-Type.',
  );
}

async function runConverter(conversion: Conversion): Promise<ConversionResult> {
  try {
    const { stdout } = await run(process.execPath, [PROGRAM, JSON.stringify(conversion)], {
      // Do not pass on the environment of the service, which has its secrets.
      env: {},
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout) as ConversionResult;
  } catch (error) {
    // The conversion took too long or too much memory, or the decoder failed.
    const { signal = null, stderr = '' } = error as { signal?: string | null; stderr?: string };
    if (signal !== null && !isStop(signal))
      throw mediaUnreadable('The picture takes too much to read.', error);
    // The code of the fault in the converter, such as ENOSPC, for the log.
    const [, code] = /\bcode: '([A-Z]+)'/.exec(stderr) ?? [];
    const cause =
      code === undefined ? error : Object.assign(new Error('the converter failed'), { code });
    throw unavailable('Pictures cannot be stored at the moment.', cause);
  }
}

/** Whether a stop of the service ended the converter, before it could ignore the signal. */
const isStop = (signal: string): boolean => STOP_SIGNALS.some((each) => each === signal);

function mediaUnreadable(detail: string, cause?: unknown): Problem {
  return new Problem('media_unreadable', detail, { errors: [{ pointer: '', detail }], cause });
}
