import type { Principal } from '../access/index.ts';
import { splitIntoChunks, type Queryable } from '../platform/database/index.ts';
import type { EventItem } from './schemas.ts';
import { readNoun } from './types.ts';

/** Reads the resources with these ids that the reader may see, as the API shows them now. The result is by id. */
type ReadObjects = (
  db: Queryable,
  reader: Principal,
  ids: string[],
) => Promise<Map<string, object>>;

/** The function that reads the subjects of events, for each noun. The API has no resource for a noun without a function. */
export type ObjectReaders = Partial<Record<string, ReadObjects>>;

const OBJECT_MAX_BYTES = 16 * 1024;
/** The most resources that one statement reads: as many as a page of a list, because a contact can have 1 MiB of notes. */
const CHUNK_MAX_OBJECTS = 100;

type ShownObject = Pick<EventItem, 'object' | 'objectOmitted'>;

/** Adds to each event its subject as a resource. One statement reads up to `CHUNK_MAX_OBJECTS` of one noun. */
export async function addObjects(
  db: Queryable,
  readers: ObjectReaders,
  reader: Principal,
  events: EventItem[],
): Promise<EventItem[]> {
  const nounOf = ({ type }: EventItem) => readNoun(type);
  const objects = new Map<string, ShownObject>();
  for (const [noun, ofNoun] of Map.groupBy(events, nounOf)) {
    const ids = [...new Set(ofNoun.map(({ data }) => data.id))];
    for (const chunk of splitIntoChunks(ids, CHUNK_MAX_OBJECTS))
      for (const [id, object] of (await readers[noun]?.(db, reader, chunk)) ?? [])
        objects.set(`${noun} ${id}`, limitObject(object));
  }
  return events.map((event) => ({
    ...event,
    ...(objects.get(`${nounOf(event)} ${event.data.id}`) ?? { object: null }),
  }));
}

function limitObject(object: object): ShownObject {
  const bytes = Buffer.byteLength(JSON.stringify(object));
  return bytes > OBJECT_MAX_BYTES ? { object: null, objectOmitted: true } : { object };
}
