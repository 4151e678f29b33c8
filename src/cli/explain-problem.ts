import { Problem } from '../platform/http/index.ts';
import { CommandError } from './command-error.ts';

/** Turns a refusal into the error of a command. */
export function explainProblem(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  throw new CommandError(
    error.message.charAt(0).toLowerCase() + error.message.slice(1).replace(/\.$/, ''),
  );
}
