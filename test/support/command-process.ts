import { join } from 'node:path';
import { Readable } from 'node:stream';
import type * as Service from '../../src/cli/main.ts';
import { BIN, type Command, type Ended } from './process.ts';

const { main } = (await import(join(BIN, '../../dist/service/main.js'))) as typeof Service;

const output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = ((text: string, taken?: () => void) => {
    output[name] += text;
    taken?.();
    return true;
  }) as typeof process.stdout.write;

process.on('message', (command: Command) => void answer(command));
// The test file has ended.
process.on('disconnect', () => process.exit());

/** Runs `offplan` with these arguments, settings and input, and sends its exit code and output to the test. */
async function answer({ args, env, input }: Command): Promise<void> {
  Object.assign(output, { stdout: '', stderr: '' });
  process.exitCode = 0;
  process.env = env;
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  await main(args);
  const { exitCode: code } = process as { exitCode: number };
  process.send?.({ code, ...output } satisfies Ended);
}
