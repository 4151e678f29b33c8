import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The command of the package, which `setup.ts` builds. */
export const BIN = readSetup('TEST_PROGRAM');

/** The command of the clone, which runs the source. */
export const BIN_OF_CLONE = fileURLToPath(new URL('../../bin/offplan.js', import.meta.url));

/**
 * Makes the data folder of an installation with an empty, migrated database, next to the one that `setup.ts` made, which is in
 * memory where there is room. It is removed after the test.
 */
export function dataFolder(t: { after: (done: () => void) => void }): string {
  const prepared = readSetup('TEST_DATA_FOLDER');
  const folder = mkdtempSync(join(prepared, '../offplan-cli-'));
  // When root runs the tests, PostgreSQL runs as another user, who must be able to pass through the folder.
  chmodSync(folder, 0o755);
  execFileSync('cp', ['-a', `${prepared}/.`, folder]);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Reads what `setup.ts` says to all test files. */
function readSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error('run the tests with `npm test`, which prepares them');
  return value;
}

interface Cleaner {
  after: (clean: () => unknown) => void;
}

/** Cleans up after a test in the reverse order, so that a server stops before its folder goes. */
export function inReverse(t: Cleaner): Cleaner {
  const cleaners: (() => unknown)[] = [];
  t.after(async () => {
    for (const clean of cleaners.toReversed()) await clean();
  });
  return { after: (clean) => void cleaners.push(clean) };
}

type Environment = Record<string, string>;

function start(args: string[], environment: Environment, program = BIN): ChildProcess {
  const env = { ...process.env, ...environment };
  return spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** A command that has ended. `code` is null when a signal ended it. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `offplan` to its end, with `input` on stdin. */
export async function offplan(
  args: string[],
  environment: Environment,
  input = '',
): Promise<Ended> {
  const child = start(args, environment);
  child.stdin?.end(input);
  const [stdout, stderr] = await Promise.all([out(child.stdout), out(child.stderr), ended(child)]);
  return { code: child.exitCode, stdout, stderr };
}

/** One command, as a process of `command-process.ts` gets it. */
export interface Command {
  args: string[];
  env: NodeJS.ProcessEnv;
  input: string;
}

/** Starts a process that runs commands one after the other. It loads the modules once, which takes most of a command's time. */
function startCommandProcess(): ChildProcess {
  const path = new URL('./command-process.ts', import.meta.url);
  return fork(path, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

function sendCommand(
  child: ChildProcess,
  args: string[],
  environment: Environment,
  input: string,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`offplan ${args[0]} ended its process`));
    child.once('exit', fail);
    child.once('message', (message) => {
      child.off('exit', fail);
      resolve(message as Ended);
    });
    const command: Command = { args, env: { ...process.env, ...environment }, input };
    child.send(command, (error) => {
      if (error !== null) reject(error);
    });
  });
}

/** The processes of this test file that wait for their next command. */
const idle: ChildProcess[] = [];

/**
 * Runs `offplan` as the function of this name does, but in a process that may have run other commands, which is faster. A test
 * that needs a signal, a pipe or the end of the process calls `offplan`. Commands at the same time run in processes of their own.
 */
export async function runCommand(
  args: string[],
  environment: Environment,
  input = '',
): Promise<Ended> {
  let child = idle.pop();
  // Skip the processes that have ended.
  while (child?.connected === false) child = idle.pop();
  child ??= startCommandProcess();
  child.ref();
  child.channel?.ref();
  const ended = await sendCommand(child, args, environment, input);
  // An idle process does not keep the test file from ending. It ends when the test file does.
  child.unref();
  child.channel?.unref();
  idle.push(child);
  return ended;
}

/** Creates a function that runs `offplan` with these settings, as `runCommand` does. */
export const createCommand =
  (environment: Environment) =>
  (...args: string[]): Promise<Ended> =>
    runCommand(args, environment);

function out(stream: ChildProcess['stdout']): Promise<string> {
  return stream ? text(stream) : Promise.resolve('');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** A running `offplan serve`. */
export interface Serving {
  url: string;
  child: ChildProcess;
  /** Its output so far. */
  printed: () => string;
  /** Its log so far. */
  logged: () => string;
  /** Sends a signal (the default is that of Ctrl-C), waits until the process has ended, and returns its exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts `offplan serve` on a free port and waits until it listens. */
export const serving = (environment: Environment, ...flags: string[]): Promise<Serving> =>
  awaitService(start(['serve', '--port', '0', ...flags], environment));

/** Starts `serve` of another program, as `serving` does. */
export const servingProgram = (
  program: string,
  environment: Environment,
  ...flags: string[]
): Promise<Serving> =>
  awaitService(start(['serve', '--port', '0', ...flags], environment, program));

async function awaitService(child: ChildProcess): Promise<Serving> {
  let stdout = '';
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const match = /listening on (http:\S+)/.exec(stdout);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    child,
    printed: () => stdout,
    logged: () => stderr,
    stop: async (signal = 'SIGINT') => {
      child.kill(signal);
      await ended(child);
      return child.exitCode;
    },
  };
}

/** Returns the process IDs of an embedded PostgreSQL: the postmaster and its children. */
export function postgresPids(folder: string): number[] {
  const postmaster = Number(
    readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0],
  );
  return [postmaster, ...childrenOf(postmaster)];
}

/** Sends a signal to all processes of an embedded PostgreSQL. */
export function signalPostgres(folder: string, signal: NodeJS.Signals): void {
  signalAll(postgresPids(folder), signal);
}

/** Sends a signal to a process and to all that descend from it. */
export function signalTree(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalAll(listTree(pid), signal);
}

function listTree(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(listTree)];
}

/** Sends a signal to processes. Any of them may have ended by then. */
function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

// The fields of /proc/PID/stat follow the program's name, which is in parentheses and can hold anything.
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
