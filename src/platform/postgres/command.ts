import { execFile } from 'node:child_process';
import type { ServerUser } from './user.ts';

/** What a finished command left behind. */
export interface Outcome {
  isSuccess: boolean;
  stdout: string;
  /** Everything it wrote, or why it could not be run. */
  output: string;
}

/** Runs a short command as the server's user and waits for it, never longer than the time-out. */
export function run(
  user: ServerUser,
  file: string,
  args: string[],
  options: { timeoutMs: number; input?: string },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { ...spawnOptions(user), timeout: options.timeoutMs, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        const output = stdout + stderr;
        resolve({
          isSuccess: error === null,
          stdout,
          output: output.trim() === '' ? (error?.message ?? '') : output,
        });
      },
    );
    // A command that ends before it has read its input is no failure of ours.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}

/**
 * How the server's user runs something: with a folder that it can enter and an environment of which
 * nothing (PGPORT, PGDATA, LC_ALL …) can change what PostgreSQL does.
 * Node empties the supplementary groups itself when a uid is given.
 */
export function spawnOptions(user: ServerUser) {
  const { PATH = '/usr/bin:/bin', LD_LIBRARY_PATH } = process.env;
  return {
    cwd: '/',
    env: { PATH, LC_ALL: 'C', TZ: 'UTC', ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) },
    ...(user.isSwitched && { uid: user.uid, gid: user.gid }),
  };
}
