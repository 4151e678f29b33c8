/** The characters that a URL takes unchanged. Nearly every key has only these. */
const PLAIN = /^\w[\w./-]*$/;

/** The key of a picture that the service stores: the account, the SHA-256 of the upload, and the extension. */
const PICTURE_KEY =
  /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/([\da-f]{64})\.(jpg|png|webp|avif)$/;

/** Reads the key of a picture that the service stores. Returns null for any other key. */
export function parsePictureKey(
  key: string,
): { accountId: string; sha256: string; ext: string } | null {
  const [, accountId, sha256, ext] = PICTURE_KEY.exec(key) ?? [];
  if (accountId === undefined || sha256 === undefined || ext === undefined) return null;
  return { accountId, sha256, ext };
}

/** The URLs that image keys are appended to, without a slash at the end. */
export interface ImageBases {
  /** The base of the pictures that the service stores. */
  stored: string;
  /** The base of all other pictures, which are in the operator's storage. */
  others: string;
}

/** Makes the URL of an image: the base, a slash and the key, percent-encoded where a URL needs it. */
export function imageUrl(bases: ImageBases, key: string): string {
  if (PLAIN.test(key)) return `${PICTURE_KEY.test(key) ? bases.stored : bases.others}/${key}`;
  const path = encodeURI(key.replace(/^\/+/, '').toWellFormed());
  return `${bases.others}/${path.replace(/[?#]/g, encodeURIComponent)}`;
}
