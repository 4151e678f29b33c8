import { createClient, type OffplanClient } from '../../../client/src/index.ts';
import { API_URL, withQuestions } from '../../api.ts';

/** Called with the number of bytes that are sent. */
type OnProgress = (sentBytes: number, totalBytes: number) => void;

/** Makes a client for one upload. It calls `onProgress` with the number of bytes that are sent. */
export const createUploadApi = (onProgress: OnProgress): OffplanClient =>
  withQuestions(createClient({ baseUrl: API_URL, fetch: createProgressFetch(onProgress) }));

const NULL_BODY = new Set([204, 205, 304]);

/** Makes a `fetch` that reports the upload progress, which the browser's own `fetch` cannot. It uses an XMLHttpRequest. */
function createProgressFetch(onProgress: OnProgress): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    const body = await request.blob();
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const xhr = new XMLHttpRequest();
      xhr.open(request.method, request.url);
      xhr.responseType = 'arraybuffer';
      for (const [name, value] of request.headers) xhr.setRequestHeader(name, value);
      xhr.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
      xhr.addEventListener('load', () => resolve(readResponse(xhr)));
      xhr.addEventListener('error', () => reject(new TypeError('The service cannot be reached.')));
      xhr.addEventListener('abort', () => reject(signal.reason as Error));
      signal.addEventListener('abort', () => xhr.abort(), { once: true });
      xhr.send(body);
    });
  };
}

function readResponse(xhr: XMLHttpRequest): Response {
  const { status, statusText } = xhr;
  const headers = xhr
    .getAllResponseHeaders()
    .split('\r\n')
    .flatMap((line): [string, string][] => {
      const at = line.indexOf(':');
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]];
    });
  const body = NULL_BODY.has(status) ? null : (xhr.response as ArrayBuffer);
  return new Response(body, { status, statusText, headers });
}
