import { Problem } from '../../../platform/http/index.ts';
import type { Lead, Channel } from '../../lead.ts';
import { readImport } from '../../read-import.ts';
import type { RowContent } from '../rows/row-content.ts';

/**
 * Reads the content of a row: its lead, or the problem that refuses it. The note about other cells comes first, so that the
 * person's own words are the latest note.
 */
export function readLead({ value, others }: RowContent, channel: Channel): Lead | Problem {
  const lead = readImport(value, channel);
  if (lead instanceof Problem) return lead;
  lead.isOfFile = channel === 'file';
  if (others.length > 0) lead.notes.unshift(`Also: ${others.join('; ')}`);
  return lead;
}
