import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { CommandError } from './command-error.ts';

interface Address {
  host: string;
  port: number;
  reusePort?: boolean;
}

/** Checks that the service can listen on a port, and returns the port. For port 0, it finds a free one. Throws a CommandError when the port is in use. */
export async function probePort({ host, port, reusePort = false }: Address): Promise<number> {
  const socket = createServer();
  try {
    await once(socket.listen({ host, port, reusePort }), 'listening');
    return (socket.address() as AddressInfo).port;
  } catch (error) {
    throw createListenError(error, { host, port });
  } finally {
    socket.close();
  }
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
