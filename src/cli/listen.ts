import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { CommandError } from './command-error.ts';

interface Address {
  host: string;
  port: number;
  reusePort?: boolean;
}

/** Binds a port for a moment, to find a free one (port 0) or to fail when another process has it. Returns the port. */
export async function probePort({ host, port, reusePort = false }: Address): Promise<number> {
  const socket = createServer();
  try {
    await once(socket.listen({ host, port, reusePort }), 'listening');
    return (socket.address() as AddressInfo).port;
  } catch (error) {
    throw cannotListen(error, { host, port });
  } finally {
    socket.close();
  }
}

/** Makes the error of a port that the service cannot listen on. The setting chooses another. */
export function cannotListen(
  error: unknown,
  { host, port }: Address,
  setting = '--port or PORT',
): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new CommandError(`port ${port} on ${host} is in use; name another with ${setting}`);
  if (code === 'ENOTSUP')
    return new CommandError('this system cannot share a port; set OFFPLAN_WORKERS=1');
  return new CommandError(`cannot listen on ${host}:${port}: ${code}`);
}
