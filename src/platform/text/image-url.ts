/** Characters that a URL takes as they are. Nearly every key has no others. */
const PLAIN = /^\w[\w./-]*$/;

/** The media base, one slash, the key: percent-encoded only where a URL needs it. */
export function imageUrl(mediaBaseUrl: string, key: string): string {
  if (PLAIN.test(key)) return `${mediaBaseUrl}/${key}`;
  const path = encodeURI(key.replace(/^\/+/, '').toWellFormed());
  return `${mediaBaseUrl}/${path.replace(/[?#]/g, encodeURIComponent)}`;
}
