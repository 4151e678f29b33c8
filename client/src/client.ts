import createFetchClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import { readProblem } from './problem.ts';
import { createRetryingFetch, type CallOptions, type RetryOptions } from './retry.ts';
import { REPEATABLE_POSTS, type paths } from './schema.ts';

export interface ClientOptions extends RetryOptions {
  /** The address of the API, such as `https://crm.example.com/api/v1`. */
  baseUrl: string;
  /** The API key. A page of the service itself has a cookie in its place. */
  key?: string | undefined;
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
export type PathsWith<M extends Method> = ClientPathsWithMethod<Client<paths>, M>;

/** A call's options: its parameters and body, what `fetch` takes, such as `signal`, and those of the retries. */
type Init<T> = T & CallOptions;
export type InitArguments<T> = undefined extends T ? [init?: Init<T>] : [init: Init<T>];

/** The options of `openapi-fetch` for a route. */
export type OptionsOf<Path extends keyof paths, M extends Method> = MaybeOptionalInit<
  paths[Path],
  M
>;

type Data<Operation extends object, Options> = Exclude<
  FetchResponse<Operation, Options, 'application/json'>['data'],
  undefined
>;

/** The body of a success, undefined when it has none, and the response with its headers. */
export interface Answer<T> {
  data: [T] extends [never] ? undefined : T;
  response: Response;
}

type Call<M extends Method> = <Path extends PathsWith<M>, Options extends OptionsOf<Path, M>>(
  path: Path,
  ...init: InitArguments<Options>
) => Promise<Answer<Data<paths[Path][M] & object, Options>>>;

/** Sends requests. Each call gives the body of a success, and throws a `ProblemError` otherwise. */
export interface OffplanClient {
  GET: Call<'get'>;
  PUT: Call<'put'>;
  POST: Call<'post'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
}

/** Makes a client for one account. */
export function createClient({ baseUrl, key, ...retrying }: ClientOptions): OffplanClient {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const fetch = createRetryingFetch(retrying);
  const client = createFetchClient<paths>({ baseUrl, headers, fetch });
  client.use({
    onRequest({ request, schemaPath }) {
      const isRepeatable = request.method === 'POST' && REPEATABLE_POSTS.includes(schemaPath);
      if (isRepeatable && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
    },
    async onResponse({ response }) {
      if (!response.ok && response.status !== 304) throw await readProblem(response);
    },
  });
  // No method returns an error: `onResponse` throws it.
  return client as unknown as OffplanClient;
}
