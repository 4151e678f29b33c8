import { LANGUAGE } from '../parts/text/format.ts';

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte'] as const;

/** Formats a size, such as "2.4 MB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), BYTE_UNITS.length - 1);
  return new Intl.NumberFormat(LANGUAGE, {
    style: 'unit',
    unit: BYTE_UNITS[step] ?? 'byte',
    maximumFractionDigits: step === 2 ? 1 : 0,
  }).format(bytes / 1_000 ** step);
}
