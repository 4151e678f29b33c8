import { counter, type Family } from './exposition.ts';

/** Upper bounds in seconds: from a kept answer to the longest that a request may take. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What was answered with one method on one route. */
interface Answered {
  statuses: Map<number, number>;
  /** How many took as long as each bound allows and longer than the one before; the last has none. */
  buckets: number[];
  seconds: number;
}

/**
 * Counts requests in plain numbers, looked up by route and method: a request for which a kept answer is sent takes
 * little longer than making an object of labels and hashing it would.
 */
export function createRequestCounts() {
  const routes = new Map<string, Map<string, Answered>>();

  function answeredOf(method: string, route: string): Answered {
    const methods = routes.get(route) ?? new Map<string, Answered>();
    routes.set(route, methods);
    const answered = {
      statuses: new Map(),
      buckets: [...BOUNDS, Infinity].map(() => 0),
      seconds: 0,
    };
    methods.set(method, answered);
    return answered;
  }

  function count(method: string, route: string, status: number, seconds: number): void {
    const answered = routes.get(route)?.get(method) ?? answeredOf(method, route);
    const { statuses, buckets } = answered;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    answered.seconds += seconds;
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1;
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }

  function families(): Family[] {
    const all = [...routes].flatMap(([route, methods]) =>
      [...methods].map(([method, answered]) => ({ labels: { method, route }, ...answered })),
    );
    return [
      counter(
        'http_requests_total',
        'Requests that were answered.',
        all.flatMap(({ labels, statuses }) =>
          [...statuses].map(([status, value]) => ({ labels: { ...labels, status }, value })),
        ),
      ),
      {
        name: 'http_request_duration_seconds',
        type: 'histogram',
        help: 'From the arrival of a request to the end of its answer.',
        samples: all.flatMap(histogramOf),
      },
    ];
  }

  return { count, families };
}

function histogramOf({
  labels,
  buckets,
  seconds,
}: Pick<Answered, 'buckets' | 'seconds'> & {
  labels: { method: string; route: string };
}): Family['samples'] {
  let value = 0;
  const cumulative = buckets.map((each, index) => {
    value += each;
    const le = index === BOUNDS.length ? '+Inf' : (BOUNDS[index] ?? 0);
    return { suffix: '_bucket' as const, labels: { ...labels, le }, value };
  });
  return [
    ...cumulative,
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value },
  ];
}
