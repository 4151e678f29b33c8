import { ConfigError, FlagError } from './values.ts';

export type Environment = Record<string, string | undefined>;

/** Turns the text of a setting into its value. Throws a ConfigError that names the setting. */
type Parse<T> = (name: string, text: string) => T;

/** Reads settings, and gathers the faults of all of them. A faulty setting counts as its default until `throwFaults`. */
export function createSettingReader(environment: Environment) {
  const faults: ConfigError[] = [];

  function find(name: string): string | undefined {
    return environment[name]?.trim() || undefined;
  }

  function parseOr<T>(fallback: () => T, parse: () => T): T {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(error);
      return fallback();
    }
  }

  /** Reads a setting that has a default. A flag of the command line wins over the environment. */
  function read<T>(
    name: string,
    defaultText: string,
    parse: Parse<T>,
    [flag, flagText]: [flag: string, text: string | undefined] = ['', undefined],
  ): T {
    const [source, text] = flagText === undefined ? [name, find(name)] : [flag, flagText];
    const fallback = (): T => parse(name, defaultText);
    return text === undefined ? fallback() : parseOr(fallback, () => parse(source, text));
  }

  function readOptional<T>(name: string, parse: Parse<T>): T | null {
    const text = find(name);
    return text === undefined
      ? null
      : parseOr<T | null>(
          () => null,
          () => parse(name, text),
        );
  }

  const addFault = (fault: ConfigError): void => void faults.push(fault);

  function throwFaults(): void {
    if (faults.length === 0) return;
    const message = faults.map((fault) => fault.message).join('\n');
    // With a faulty flag the usage of the command is wrong, which has an exit code of its own.
    const hasFlag = faults.some((fault) => fault instanceof FlagError);
    throw hasFlag ? new FlagError(message) : new ConfigError(message);
  }

  return { find, read, readOptional, addFault, throwFaults };
}
