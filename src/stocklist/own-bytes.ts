/**
 * Copies bytes that a cache keeps. Node.js cuts small buffers out of shared blocks of 64 KiB, and a block stays in memory as long as
 * one of its buffers.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
