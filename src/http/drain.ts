import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from './server.ts';

/**
 * Once the service is to stop, each answer ends its connection, so that none is cut in whose place a client would have
 * sent its next request.
 */
export function endConnectionsWhen({ server }: Server, stopping: AbortSignal): void {
  const announce = (_request: IncomingMessage, response: ServerResponse): void =>
    void response.setHeader('connection', 'close');
  const begin = (): void => void server.prependListener('request', announce);
  if (stopping.aborted) begin();
  else stopping.addEventListener('abort', begin, { once: true });
}
