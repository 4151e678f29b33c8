import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** A server in a process of its own, as an operator runs it. */
export interface Running {
  url: string;
  pid: number;
  /** The time from the start of the process to the line with its URL. */
  startMs: number;
  stop: () => Promise<void>;
}

/** Starts a Node process and waits for the line that holds its URL. Its log goes to /dev/null. */
export async function start(args: string[], env: Record<string, string> = {}): Promise<Running> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', process.env['BENCH_DEBUG'] === undefined ? 'ignore' : 'inherit'],
  });
  const url = await urlOf(child, args);
  const startMs = performance.now() - startedMs;
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  };
  return { url, pid: child.pid ?? 0, startMs, stop };
}

/** The output, time and memory of a command. */
export interface Ended {
  stdout: string;
  seconds: number;
  /** The processor time of the command. */
  cpuMs: number;
  memoryMb: number;
}

/** Runs a Node program in a process of its own to its end. The time includes the start. */
export async function runToEnd(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? 0;
  const ended = { cpuMs: 0, memoryMb: 0 };
  const timer = setInterval(() => {
    ended.memoryMb = Math.max(ended.memoryMb, peakMb(pid));
    ended.cpuMs = Math.max(ended.cpuMs, cpuMs(pid));
  }, LOOKED_AT_EVERY_MS);
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return { ...ended, stdout, seconds: (performance.now() - startedMs) / 1_000 };
}

const LOOKED_AT_EVERY_MS = 50;

async function urlOf(child: ChildProcess, args: string[]): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
    // Read and drop the other output, because a full pipe would stop the process.
    child.stdout.resume();
    if (url !== undefined) return url;
  }
  throw new Error(`${args.join(' ')} ended before it listened`);
}

/** Returns the processor time of a process and its descendants in milliseconds; 0 when it is on another machine. */
export function cpuMs(pid: number): number {
  let sum = 0;
  for (const each of family(pid)) sum += ticksOf(each);
  return sum * MS_PER_TICK;
}

// USER_HZ, which is 100 on every Linux.
const MS_PER_TICK = 10;

/** Returns the resident memory of a process and its descendants, in MB. */
export function residentMb(pid: number): number {
  return family(pid).reduce((sum, each) => sum + memoryOf(each, 'VmRSS'), 0);
}

/** Returns the sum of the peaks of resident memory of a process and its descendants, in MB. */
export function peakMb(pid: number): number {
  return family(pid).reduce((sum, each) => sum + memoryOf(each, 'VmHWM'), 0);
}

function family(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (stat === null) continue;
    const parent = Number(stat[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const each of found) found.push(...(parents.get(each) ?? []));
  return found;
}

// Count the process itself, and its children that have ended.
function ticksOf(pid: number): number {
  const stat = statOf(pid);
  return stat === null ? 0 : [11, 12, 13, 14].reduce((sum, at) => sum + Number(stat[at]), 0);
}

/** Returns the fields of /proc/PID/stat from the third one on, which is the state. */
function statOf(pid: number): string[] | null {
  const text = fileOf(pid, 'stat');
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function memoryOf(pid: number, field: string): number {
  const kib = new RegExp(`${field}:\\s+(\\d+) kB`).exec(fileOf(pid, 'status') ?? '')?.[1];
  return Math.round((Number(kib ?? 0) * 1024) / 1e6);
}

function fileOf(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Returns the parent of a process, which for a PostgreSQL backend is the postmaster; 0 when the process is not on this machine.
 */
export function parentOf(pid: number): number {
  return Number(statOf(pid)?.[1] ?? 0);
}
