import type { Static } from 'typebox';
import type { Image } from './schemas.ts';

/** What a URL holds as it is, and what nearly every key is made of. */
const PLAIN = /^\w[\w./-]*$/;

/** The media base, one slash, the key: percent-encoded only where a URL needs it. */
export function imageUrl(mediaBaseUrl: string, key: string): string {
  if (PLAIN.test(key)) return `${mediaBaseUrl}/${key}`;
  const path = encodeURI(key.replace(/^\/+/, '').toWellFormed());
  return `${mediaBaseUrl}/${path.replace(/[?#]/g, encodeURIComponent)}`;
}

export function toImage(mediaBaseUrl: string, key: string): Static<typeof Image>;
export function toImage(mediaBaseUrl: string, key: string | null): Static<typeof Image> | null;
export function toImage(mediaBaseUrl: string, key: string | null): Static<typeof Image> | null {
  return key === null ? null : { key, url: imageUrl(mediaBaseUrl, key) };
}
