import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { CommandError } from '../command-error.ts';

interface Address {
  host: string;
  port: number;
  reusePort?: boolean;
}

/**
 * Reserves a port, or a free one for port 0: no other process can take it before `release`, and each connection to it is closed at
 * once. Throws a CommandError when the service cannot listen on the port.
 */
export async function reservePort({
  host,
  port,
  reusePort = false,
}: Address): Promise<{ port: number; release: () => void }> {
  const socket = createServer((connection) => connection.destroy()).unref();
  try {
    await once(socket.listen({ host, port, reusePort }), 'listening');
  } catch (error) {
    throw createListenError(error, { host, port });
  }
  return { port: (socket.address() as AddressInfo).port, release: () => socket.close() };
}

/** Creates the error of a port on which the service cannot listen. `setting` is the name of the setting to change. */
export function createListenError(
  error: unknown,
  { host, port }: Address,
  setting = '--port or PORT',
): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new CommandError(`port ${port} on ${host} is in use; name another with ${setting}`);
  if (code === 'ENOTSUP')
    return new CommandError('this system cannot share a port; set OFFPLAN_WORKERS=1');
  if (code === 'EACCES')
    return new CommandError(
      `this user may not listen on port ${port}; name one from 1024 with ${setting}`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandError(
      `this machine has no address ${host}; use 127.0.0.1, or 0.0.0.0 for all of its addresses`,
    );
  return new CommandError(`cannot listen on ${host}:${port}: ${code}`);
}
