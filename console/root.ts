/**
 * The path of the installation, without a slash at its end: empty, or such as `/crm` when the public URL has a path. The files
 * of the console lie in `/assets` below it.
 */
export const ROOT = new URL(import.meta.url).pathname.replace(/\/(assets\/)?[^/]*$/, '');
