/**
 * The path of the installation without a final slash: empty, or for example `/crm` when the public URL has a path. The script
 * derives it from its own URL, which is in `/assets` below that path.
 */
export const ROOT = new URL(import.meta.url).pathname.replace(/\/(assets\/)?[^/]*$/, '');
