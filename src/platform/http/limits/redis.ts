import { createClient, defineScript } from '@redis/client';
import type { CommandParser } from '@redis/client';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS, type Counter, type Quota, type Taken } from './counter.ts';
import { createMemoryCounter } from './memory.ts';

/** How long a request waits for Redis. */
const PATIENCE_MS = 250;
/** How long Redis is left alone when it has not answered. */
const PAUSE_MS = 1_000;
const RECONNECT_MS = 1_000;
const REFUSED_MAX = 20_000;

// The same as memory.ts does, in one step, so that processes that count together cannot come between.
const TAKE = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local quota, amount, held, minute = unpack(ARGV)
    quota, amount, held, minute = tonumber(quota), tonumber(amount), tonumber(held), tonumber(minute)
    local function minutes(n) return math.max(math.ceil(n / quota), 1) end
    local taken = tonumber(redis.call('GET', KEYS[1]) or '0')
    local ends = taken == 0 and minute or redis.call('PTTL', KEYS[1])
    if taken - held >= quota then return {0, taken, ends} end
    ends = math.max(ends + (minutes(taken + amount) - minutes(taken)) * minute, 1)
    redis.call('SET', KEYS[1], taken + amount, 'PX', ends)
    return {1, taken + amount, ends}`,
  parseCommand(parser: CommandParser, key: string, ...numbers: number[]) {
    parser.pushKey(key);
    parser.push(...numbers.map(String));
  },
  transformReply([allowed, taken, resetMs]: [number, number, number]) {
    return { isAllowed: allowed === 1, taken, resetMs };
  },
});

interface Listener {
  onLost: (error: unknown) => void;
  onBack: () => void;
}

/** Counters in Redis or Valkey, for all processes together. While it does not answer, each process counts by itself. */
export interface RedisCounters {
  counterOf: (quota: Quota) => Counter;
  close: () => void;
}

export function openRedisCounters(
  url: string,
  { onLost, onBack }: Listener,
  now = () => performance.now(),
): RedisCounters {
  const client = createClient({
    url,
    scripts: { take: TAKE },
    disableOfflineQueue: true,
    socket: { connectTimeout: PATIENCE_MS * 4, reconnectStrategy: RECONNECT_MS },
  });
  // With fractions a minute can be a little more than a minute, and be told as 61 seconds.
  const wholeMs = (): number => Math.floor(now());
  let isLost = false;
  let againMs = 0;

  function lost(error: unknown): void {
    againMs = wholeMs() + PAUSE_MS;
    if (!isLost) onLost(error);
    isLost = true;
  }

  function back(): void {
    if (!isLost) return;
    isLost = false;
    againMs = 0;
    onBack();
  }

  // The driver tries again by itself.
  client.on('error', lost);
  client.connect().catch(lost);

  // While it is lost, one request in each pause finds out whether it is back: what it does not answer, the driver keeps.
  function canAsk(): boolean {
    const nowMs = wholeMs();
    if (!client.isReady || nowMs < againMs) return false;
    if (isLost) againMs = nowMs + PAUSE_MS;
    return true;
  }

  function counterOf(quota: Quota): Counter {
    const alone = createMemoryCounter(quota, now);
    // Until when there is nothing left: nothing but time changes that, so that Redis need not be asked.
    const spent = new LRUCache<string, number>({ max: REFUSED_MAX });

    async function ask(name: string, amount: number, held: number): Promise<Taken> {
      const key = `offplan:${quota.name}:${name}`;
      const reply = client.take(key, quota.perMinute, amount, held, MINUTE_MS);
      const { isAllowed, taken, resetMs } = await within(PATIENCE_MS, reply);
      if (taken >= quota.perMinute) spent.set(name, wholeMs() + resetMs);
      return { isAllowed, left: Math.max(quota.perMinute - taken, 0), resetMs };
    }

    const leftMs = (name: string): number => (spent.get(name) ?? 0) - wholeMs();

    return {
      quota,
      take(name, amount, held = 0) {
        const resetMs = leftMs(name);
        if (held === 0 && resetMs > 0) return { isAllowed: false, left: 0, resetMs };
        if (!canAsk()) return alone.take(name, amount, held);
        return ask(name, amount, held).then(
          (taken) => {
            back();
            return taken;
          },
          (error: unknown) => {
            lost(error);
            return alone.take(name, amount, held);
          },
        );
      },
    };
  }

  return { counterOf, close: () => void (client.isOpen && client.destroy()) };
}

// The driver waits for an answer as long as the connection stands.
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis has not answered within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
