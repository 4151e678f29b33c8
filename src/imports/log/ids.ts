/** The least id that an import can have which is made at a time: an id begins with its time (UUIDv7). */
export function firstIdAt(ms: number): string {
  const digits = Math.max(ms, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** How far an id's time may be from the time at which its import was received: both are read from one clock. */
export const ID_SLACK_MS = 60_000;
