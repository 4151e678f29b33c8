import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Cleaner } from './harness.ts';
import { freePort, untilListening } from './ports.ts';

const SERVER = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version']).error === undefined,
);

/** The reason to skip a test that needs Redis. False when Redis is installed, and always in CI, where it must be installed. */
export const withoutRedis: string | false =
  SERVER === undefined && process.env['CI'] === undefined
    ? 'neither valkey-server nor redis-server is on the PATH'
    : false;

export interface Redis {
  url: string;
  /** Sends its process a signal. */
  kill: (signal: NodeJS.Signals) => void;
  /** Ends it, and starts it again without data. */
  restart: () => Promise<void>;
  end: () => Promise<void>;
}

/** Starts a Redis or Valkey, and ends it after the test. */
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

  t.after(end);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: (signal) => void child.kill(signal),
    restart: async () => {
      await end();
      child = start();
      await untilListening(port);
    },
    end,
  };
}
