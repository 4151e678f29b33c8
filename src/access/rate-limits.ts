import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from './principal.ts';
import {
  Problem,
  addFields,
  type Counter,
  type Quota,
  type Taken,
} from '../platform/http/index.ts';

type Done = (error?: Error) => void;

type Hook = (request: FastifyRequest, reply: FastifyReply, done: Done) => void;

/** The hook, after authentication, that takes one of the key's quota for each request. */
export function limitRequests(counter: Counter): Hook {
  return (request, _reply, done) => take(counter, request, { amount: 1, held: 0 }, done);
}

/** Takes what a request turns out to be worth, beyond the one that `limitRequests` took; rejects when that is too much. */
export function limitAmount(
  counter: Counter,
  request: FastifyRequest,
  worth: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (worth <= 1) return resolve();
    take(counter, request, { amount: worth - 1, held: 1 }, (error) =>
      error === undefined ? resolve() : reject(error),
    );
  });
}

function take(
  counter: Counter,
  request: FastifyRequest,
  { amount, held }: { amount: number; held: number },
  done: Done,
): void {
  const { quota } = counter;
  const tell = (taken: Taken): void => {
    addFields(request, fieldsOf(quota, taken));
    done(taken.isAllowed ? undefined : overLimit(quota, taken));
  };
  const taken = counter.take(principalOf(request).actor.id, amount, held);
  if (taken instanceof Promise) taken.then(tell, done);
  else tell(taken);
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-11. */
function fieldsOf({ name, perMinute }: Quota, { left, resetMs }: Taken) {
  return {
    'ratelimit-policy': `"${name}";q=${perMinute};w=60`,
    ratelimit: `"${name}";r=${left};t=${seconds(resetMs)}`,
  };
}

function overLimit({ name, perMinute }: Quota, taken: Taken): Problem {
  const left = seconds(taken.resetMs);
  const again = `try again in ${left} ${left === 1 ? 'second' : 'seconds'}`;
  return rateLimited(`This API key may make ${perMinute} ${name} a minute; ${again}.`, taken);
}

/** The refusal of what would be too much just now. */
export function rateLimited(detail: string, { resetMs }: Pick<Taken, 'resetMs'>): Problem {
  return new Problem('rate_limited', detail, {
    headers: { 'retry-after': String(seconds(resetMs)) },
  });
}

function seconds(ms: number): number {
  return Math.max(Math.ceil(ms / 1000), 1);
}
