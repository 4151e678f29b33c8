import { deflateSync, crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** The types of pictures that the service takes, with a picture of each. */
export const TYPES = {
  'image/jpeg': (image: Sharp) => image.jpeg(),
  'image/png': (image: Sharp) => image.png(),
  'image/webp': (image: Sharp) => image.webp(),
  'image/avif': (image: Sharp) => image.avif({ effort: 0 }),
};
export type PictureType = keyof typeof TYPES;

let drawn = 0;

/**
 * Makes a picture that is red above and blue below. Each of a hundred is another one, even when a format rounds its colours.
 */
export function drawPicture(width = 64, height = 48): Sharp {
  drawn += 1;
  const half = { width, height: Math.floor(height / 2), channels: 3 as const };
  return sharp({
    create: { width, height, channels: 3, background: { r: 0, g: (drawn * 2) % 200, b: 255 } },
  }).composite([{ input: { create: { ...half, background: '#f00' } }, top: 0, left: 0 }]);
}

/** Makes the file of a picture. */
export function drawFile(
  type: PictureType = 'image/jpeg',
  width?: number,
  height?: number,
): Promise<Buffer> {
  return TYPES[type](drawPicture(width, height)).toBuffer();
}

/** Reads the colour of a pixel. */
export async function readPixel(file: Buffer, left: number, top: number): Promise<string> {
  const { data } = await sharp(file)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [red = 0, , blue = 0] = data;
  return red > 200 && blue < 80 ? 'red' : blue > 200 && red < 80 ? 'blue' : 'other';
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/**
 * Makes a PNG of one colour, with a bit for each pixel. It is small, and takes as much memory as it has pixels: PNG interlaces
 * the lines, so that a reader must keep the whole picture.
 */
export function makeBomb(width: number, height = width): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(1, 8);
  head.writeUInt8(1, 12);
  // The first column and line, and the steps, of the seven passes of Adam7.
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  const sizes = passes.map(([x = 0, y = 0, stepX = 1, stepY = 1]) => {
    const [columns, lines] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)];
    return lines * (1 + Math.ceil(columns / 8));
  });
  const bytes = sizes.reduce((sum, each) => sum + each, 0);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(bytes), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
