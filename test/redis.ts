import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cleaner } from './harness.ts';

const SERVER = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version']).error === undefined,
);

/** Why a test that needs a Redis is left out: false when there is one, and in CI, where there has to be one. */
export const withoutRedis: string | false =
  SERVER === undefined && process.env['CI'] === undefined
    ? 'neither valkey-server nor redis-server is on the PATH'
    : false;

const PASS = [
  "for _, key in ipairs(redis.call('KEYS', '*')) do",
  "local left = redis.call('PTTL', key)",
  "if left >= 0 then redis.call('PEXPIRE', key, left - ARGV[1]) end",
  'end',
].join(' ');

export interface Redis {
  url: string;
  /** Sends its process a signal. */
  kill: (signal: NodeJS.Signals) => void;
  /** How many scripts it has been sent to run. */
  scriptsRun: () => Promise<number>;
  /** Makes all that is in it expire sooner; what never expires stays. */
  pass: (seconds: number) => Promise<void>;
  /** Ends it and starts it anew, with nothing in it. */
  restart: () => Promise<void>;
  end: () => Promise<void>;
}

/** A Redis or Valkey of its own, that is ended after the test. */
export async function startRedis(t: Cleaner): Promise<Redis> {
  const program = SERVER;
  if (program === undefined)
    throw new Error('this test needs valkey-server or redis-server on the PATH');
  const port = await freePort();
  const start = () =>
    spawn(
      program,
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      {
        stdio: 'ignore',
      },
    );
  let child = start();
  await untilListening(port);

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function ask(command: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(`${command}\r\nQUIT\r\n`);
    return text(socket);
  }

  t.after(end);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: (signal) => void child.kill(signal),
    scriptsRun: async () => {
      const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await ask('INFO commandstats'))?.[1];
      return Number(calls ?? 0);
    },
    pass: async (seconds) => {
      const answer = await ask(`EVAL "${PASS}" 0 ${seconds * 1_000}`);
      if (answer.startsWith('-')) throw new Error(answer);
    },
    restart: async () => {
      await end();
      child = start();
      await untilListening(port);
    },
    end,
  };
}

async function freePort(): Promise<number> {
  const socket = createServer();
  await once(socket.listen(0, '127.0.0.1'), 'listening');
  const { port } = socket.address() as AddressInfo;
  await once(socket.close(), 'close');
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = connect({ host: '127.0.0.1', port });
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await sleep(50);
  }
  throw new Error('Redis does not listen');
}
