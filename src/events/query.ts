import type { FastifyRequest } from 'fastify';
import type { Principal } from '../access/index.ts';
import {
  invalidRequest,
  makeParameterFault,
  Problem,
  refuseRepeated,
  shortenName,
  type Fault,
  type RawQuery,
} from '../platform/http/index.ts';
import { isUuid, NIL_ID } from '../platform/text/index.ts';
import { readEventCursor } from './ids.ts';
import { EVENT_TYPES, type EventType } from './data-schemas.ts';
import { listReadableTypes, NOUNS, readNoun } from './types.ts';

const LIMIT_DEFAULT = 20;
/** The most events of a page. */
export const LIMIT_MAX = 1_000;
/** The longest wait of a request for new events. */
export const WAIT_MAX_S = 25;
const NAMES = ['after', 'types', 'subject', 'limit', 'wait', 'include'];

/** The events that a request asks for. */
export interface EventQuery {
  /** The types of events, or nouns with `.*`; undefined means all. */
  wanted: string[] | undefined;
  /** Limits the events to those of this row, and of this contact's activities; null means no limit. */
  subject: string | null;
  /** The number of the event after which to read; undefined means from the oldest one. */
  after: number | 'head' | undefined;
  limit: number;
  waitMs: number;
  isStream: boolean;
  /** Whether to add to each event its subject as it is now. */
  withObjects: boolean;
}

/** Which events a reader gets. */
export interface EventFilter extends Pick<EventQuery, 'subject'> {
  types: EventType[];
  /** Limits the events of contacts to those assigned to this person or to nobody; null means no limit. */
  seenBy: string | null;
  /** Leaves out the events that these requests caused, except those of contact files. */
  exceptRequests?: string[];
}

/** Reads the query of GET /events. Throws a 400 that names each fault. */
export function readEventQuery(request: FastifyRequest, raw: RawQuery): EventQuery {
  refuseRepeated(raw);
  const { after, types, subject, limit, wait, include, ...others } = raw as Record<string, string>;
  const unknown = Object.keys(others).map((name) =>
    makeParameterFault(name, `is not a parameter here; use ${NAMES.join(', ')}.`),
  );
  const faults: Fault[] = [
    ...unknown,
    ...checkTypes(types),
    ...checkNumbers({ limit, wait }),
    ...checkInclude(include),
  ];
  if (faults.length > 0) throw invalidRequest(faults);
  const isRead = request.method === 'GET';
  const isStream = isRead && prefersStream(request.headers.accept ?? '');
  const lastEventId = isStream ? request.headers['last-event-id'] : undefined;
  return {
    wanted: types?.split(','),
    subject: subject === undefined ? null : isUuid(subject) ? subject.toLowerCase() : NIL_ID,
    after:
      lastEventId === undefined
        ? parseAfter(after)
        : parseAfter(String(lastEventId), 'Last-Event-ID'),
    limit: Math.min(Number(limit ?? LIMIT_DEFAULT), LIMIT_MAX),
    waitMs: isRead ? Number(wait ?? 0) * 1_000 : 0,
    isStream,
    withObjects: include !== undefined,
  };
}

/** Returns whether an Accept header names a stream, and gives JSON no higher weight. */
function prefersStream(accept: string): boolean {
  const ranges = accept.toLowerCase().split(',');
  const weigh = (type: string): number | undefined => {
    const range = ranges.find((each) => each.split(';')[0]?.trim() === type);
    return range === undefined ? undefined : Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1);
  };
  const stream = weigh('text/event-stream') ?? 0;
  const json = weigh('application/json') ?? weigh('application/*') ?? weigh('*/*') ?? 0;
  return stream > 0 && stream >= json;
}

/** Makes the filter of the events that a principal may read and asks for. Without a query, it passes all that they may read. */
export function createFilter(
  principal: Principal,
  { wanted, subject }: Pick<EventQuery, 'wanted' | 'subject'> = {
    wanted: undefined,
    subject: null,
  },
): EventFilter {
  const types = listReadableTypes(principal).filter(
    (type) =>
      wanted === undefined || wanted.includes(type) || wanted.includes(`${readNoun(type)}.*`),
  );
  return { types, subject, seenBy: principal.contacts === 'own' ? principal.actor.id : null };
}

function checkTypes(types: string | undefined): Fault[] {
  const known = new Set<string>([...EVENT_TYPES, ...NOUNS.map((noun) => `${noun}.*`)]);
  const wrong = types?.split(',').find((each) => !known.has(each));
  if (wrong === undefined) return [];
  const detail = `types must be types of events, such as contact.created, or all of a noun, such as contact.*, with commas between them; "${shortenName(wrong)}" is not one.`;
  return [{ parameter: 'types', detail }];
}

function checkInclude(include: string | undefined): Fault[] {
  if (include === undefined || include === 'object') return [];
  return [{ parameter: 'include', detail: 'include must be object.' }];
}

function checkNumbers({ limit, wait }: { limit: string | undefined; wait: string | undefined }) {
  const faults: Fault[] = [];
  if (limit !== undefined && !/^0*[1-9]\d*$/.test(limit)) {
    const detail = 'limit must be a whole number of at least 1, written in digits only.';
    faults.push({ parameter: 'limit', detail });
  }
  if (wait !== undefined && !(/^\d+$/.test(wait) && Number(wait) <= WAIT_MAX_S)) {
    const detail = `wait must be a whole number of seconds from 0 to ${WAIT_MAX_S}.`;
    faults.push({ parameter: 'wait', detail });
  }
  return faults;
}

/** Parses a cursor. `name` is that of the parameter or header that has it. */
function parseAfter(after: string | undefined, name = 'after'): EventQuery['after'] {
  if (after === undefined || after === 'head') return after;
  const sequence = readEventCursor(after);
  if (sequence === undefined)
    throw new Problem(
      'cursor_invalid',
      `${name} must be the cursor of an earlier answer, or head.`,
    );
  return sequence;
}
