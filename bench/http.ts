import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** Sends a GET, discards the body and returns its number of bytes. Throws for a status of 400 or more. */
export async function bytesOf(url: string, headers: Record<string, string>): Promise<number> {
  const response = await answered(url, headers);
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(response, 'end');
  return bytes;
}

/** Sends a GET and returns the answer with the bytes of its body as sent; `fetch` would decompress them. */
export async function answerOf(url: string, headers: Record<string, string>) {
  const response = await answered(url, headers);
  const chunks = (await response.toArray()) as Buffer[];
  return {
    status: response.statusCode,
    body: Buffer.concat(chunks),
    etag: response.headers.etag ?? '',
    coding: response.headers['content-encoding'] ?? null,
  };
}

async function answered(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { headers, agent }), 'response')) as [IncomingMessage];
  const { statusCode = 0 } = response;
  if (statusCode >= 400) throw new Error(`${url} was answered with ${statusCode}`);
  return response;
}
