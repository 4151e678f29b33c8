import { writeFileSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { STOP_SIGNALS } from '../platform/signals/index.ts';
import {
  PIXELS_MAX,
  SIDE_MAX,
  WIDTHS,
  type Conversion,
  type ConversionResult,
  type Extension,
} from './rules.ts';

/*
 * The program that decodes one untrusted picture and encodes it again. It runs in a process of its own, so that a picture which takes
 * much memory, or crashes the decoder, ends this process and not the service. It writes its result to stdout as JSON.
 */

/** The loader of libvips for each type. All others, such as those of SVG and PDF, are blocked. */
const LOADERS: Record<Extension, string> = {
  jpg: 'VipsForeignLoadJpegFile',
  png: 'VipsForeignLoadPngFile',
  webp: 'VipsForeignLoadWebpFile',
  avif: 'VipsForeignLoadHeifFile',
};

/** The most pixels of a WebP or an AVIF: their encoders keep the whole picture in memory, the others only a few lines. */
const PIXELS_MAX_WHOLE = 25_000_000;

/** Matches a warning about complete pictures of some cameras. */
const HARMLESS = /Invalid SOS parameters/;

async function convert({ source, ext, target }: Conversion): Promise<ConversionResult> {
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [LOADERS[ext]] });
  try {
    return await write(source, ext, target, 'warning');
  } catch (error) {
    if (error instanceof SaveError) throw error;
    const message = error instanceof Error ? error.message : '';
    if (/exceeds pixel limit/.test(message)) return { refused: 'too_many_pixels' };
    if (!HARMLESS.test(message)) return { refused: 'unreadable' };
  }
  return write(source, ext, target, 'error').catch((error: unknown) => {
    if (error instanceof SaveError) throw error;
    return { refused: 'unreadable' };
  });
}

async function write(
  source: string,
  ext: Extension,
  target: string,
  failOn: 'warning' | 'error',
): Promise<ConversionResult> {
  const open = () =>
    sharp(source, { limitInputPixels: PIXELS_MAX, sequentialRead: true, failOn, autoOrient: true });
  const { autoOrient: size, chromaSubsampling, compression } = await open().metadata();
  if (Math.max(size.width, size.height) > SIDE_MAX) return { refused: 'too_many_pixels' };
  // The loader of AVIF also accepts HEIC, so check the compression.
  if (ext === 'avif' && compression !== 'av1') return { refused: 'unreadable' };
  const fullWidth = ext === 'jpg' || ext === 'png' ? size.width : limitWidth(size);
  const full = open().resize({ width: fullWidth, withoutEnlargement: true });
  const encoded = encode(full, ext, { isFull: true, chromaSubsampling });
  const { data: picture, info: shown } = await encoded.toBuffer({ resolveWithObject: true });
  await save(target, picture);
  const { width, height } = shown;
  const bytes = picture.length;
  const widths = WIDTHS.filter((each) => each < width);
  const largest = widths.at(-1);
  if (largest === undefined) return { bytes, width, height, widths };
  const { data, info } = await open()
    .resize({ width: largest })
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (const each of widths) {
    const smaller = sharp(data, { raw: info }).resize({ width: each });
    await save(`${target}-${each}`, await encode(smaller, ext, { isFull: false }).toBuffer());
  }
  return { bytes, width, height, widths };
}

/** Says that a file cannot be written, which is not the fault of the picture. */
class SaveError extends Error {}

async function save(path: string, data: Buffer): Promise<void> {
  await writeFile(path, data, { flush: true }).catch((error: unknown) => {
    throw new SaveError('the picture could not be written', { cause: error });
  });
}

function limitWidth({ width, height }: { width: number; height: number }): number {
  const share = Math.min(Math.sqrt(PIXELS_MAX_WHOLE / (width * height)), 1);
  return Math.max(Math.floor(width * share), 1);
}

interface EncodeOptions {
  /** Whether the picture keeps its size. It is then encoded at a higher quality. */
  isFull: boolean;
  /** The chroma subsampling of the upload. */
  chromaSubsampling?: string | undefined;
}

/** Encodes a picture. Without further options, sharp leaves its metadata out and converts its colours to sRGB. */
function encode(
  image: Sharp,
  ext: Extension,
  { isFull, chromaSubsampling = '4:2:0' }: EncodeOptions,
): Sharp {
  const chroma = chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4';
  if (ext === 'png') return image.png();
  if (ext === 'webp') return image.webp({ quality: isFull ? 90 : 80, effort: 3 });
  if (ext === 'avif')
    return image.avif({ quality: isFull ? 70 : 55, effort: 2, chromaSubsampling: chroma });
  // The optimization keeps the whole picture in memory, so use it only for the smaller sizes.
  const optimizeCoding = !isFull;
  return image.jpeg({ quality: isFull ? 90 : 80, chromaSubsampling: chroma, optimizeCoding });
}

/** Sets the score by which Linux chooses a process to kill when memory runs out, so that it kills this one before the service. */
function raiseOutOfMemoryScore(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Other systems have no such file.
  }
}

const STDOUT = 1;
raiseOutOfMemoryScore();
// systemd and a terminal send the signal to this process as well. A stopping service still answers the upload, and then ends it.
for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
// The service holds the other end of stdin. When the service ends, end this process, too.
process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGKILL'));
const result = await convert(JSON.parse(process.argv[2] ?? '') as Conversion);
writeSync(STDOUT, JSON.stringify(result));
process.exit();
