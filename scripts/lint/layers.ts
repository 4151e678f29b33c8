/**
 * The rooms of `src/` in layers. A file may import its own room, and the `index.ts` of any room in an earlier layer.
 * Rooms of one layer do not import each other.
 */
export const LAYERS: string[][] = [
  ['platform/text', 'platform/signals'],
  ['platform/fields'],
  ['platform/config'],
  ['platform/database'],
  ['platform/queue', 'platform/jobs', 'platform/postgres'],
  ['platform/http'],
  ['platform/telemetry', 'platform/idempotency', 'platform/secrets'],
  ['access'],
  ['events', 'media'],
  ['accounts'],
  ['keys', 'users', 'projects', 'webhooks'],
  ['contacts'],
  ['views'],
  ['imports', 'stocklist', 'figures'],
  ['portability', 'price-lists', 'shell', 'sweeps', 'doctor'],
  ['app'],
  ['cli'],
];
