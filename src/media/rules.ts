/** The media types of pictures, by the extension of their keys. */
export const PICTURE_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
} as const;
export type Extension = keyof typeof PICTURE_TYPES;

/** The widths in which a picture is served in addition to its own. */
export const WIDTHS = [320, 640, 1280, 1920] as const;
export type Width = (typeof WIDTHS)[number];

/** The most bytes of a file that is sent as a picture. */
export const PICTURE_MAX_BYTES = 20 * 1024 * 1024;
/** The most pixels of a picture: the decoded picture takes some bytes for each. */
export const PIXELS_MAX = 100_000_000;
/** The most pixels of a side, as in JPEG. The decoder keeps many lines in memory: those of a wider picture can take gigabytes. */
export const SIDE_MAX = 65_535;

/** Finds the extension of pictures of a media type. */
export function findExtension(mediaType: string): Extension | undefined {
  const extensions = Object.keys(PICTURE_TYPES) as Extension[];
  return extensions.find((each) => PICTURE_TYPES[each] === mediaType);
}

/** The parts of a picture's key: the account, the SHA-256 of the upload, and the extension. */
export interface PictureFile {
  accountId: string;
  sha256: string;
  ext: Extension;
}

/** A picture to convert: the paths of the upload and of the results. */
export interface Conversion {
  source: string;
  ext: Extension;
  /** The path of the converted picture. That of a smaller size ends with `-` and its width. */
  target: string;
}

/** A converted picture. */
export interface Converted {
  bytes: number;
  width: number;
  height: number;
  /** The smaller sizes that were made. */
  widths: Width[];
}

/** The answer of the converter. */
export type ConversionResult = Converted | { refused: 'unreadable' | 'too_many_pixels' };
