import { createInterface } from 'node:readline';

/** Reads the first line of stdin, without the blanks around it. Returns '' when there is none. */
export async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}
