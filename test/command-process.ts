import { main } from '../src/cli/main.ts';
import type { Ended } from './process.ts';

const output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = ((text: string, taken?: () => void) => {
    output[name] += text;
    taken?.();
    return true;
  }) as typeof process.stdout.write;

process.on('message', (args: string[]) => void answer(args));

/** Runs `offplan` with these arguments, and sends its exit code and output to the test. */
async function answer(args: string[]): Promise<void> {
  Object.assign(output, { stdout: '', stderr: '' });
  process.exitCode = 0;
  await main(args);
  const { exitCode: code } = process as { exitCode: number };
  process.send?.({ code, ...output } satisfies Ended);
}
