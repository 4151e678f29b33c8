import { Agent, get, type IncomingMessage } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** An answer as it came over the wire: fetch would decode its bytes. */
export async function answerOf(url: string, headers: Record<string, string>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent }, resolve).on('error', reject);
  });
  const chunks = (await response.toArray()) as Buffer[];
  const status = response.statusCode ?? 0;
  if (status >= 400) throw new Error(`${url} was answered with ${status}`);
  return {
    status,
    body: Buffer.concat(chunks),
    etag: response.headers.etag ?? '',
    coding: response.headers['content-encoding'] ?? null,
  };
}
