import { onlineManager } from '@tanstack/react-query';
import {
  createClient,
  ProblemError,
  type components,
  type OffplanClient,
} from '../client/src/index.ts';
import { tabStorage } from './parts/browser/tab-storage.ts';
import { ROOT } from './root.ts';
import { ask, countSignOuts, type Question } from './session/questions.ts';

export {
  ProblemError,
  listItems,
  uploadContactFile,
  type components,
  type Event,
  type Problem,
} from '../client/src/index.ts';

type Schemas = components['schemas'];
export type Me = Schemas['Me'];
export type Scope = Me['scopes'][number];
export type Role = NonNullable<Me['role']>;
export type Contact = Schemas['Contact'];
export type ContactLink = Schemas['ContactLink'];
export type Activity = Schemas['Activity'];
export type Change = Schemas['Change'];
export type Project = Schemas['Project'];
export type Unit = Schemas['StockUnit'];
export type Tag = Schemas['Tag'];
export type User = Schemas['User'];
export type View = Schemas['View'];
export type Key = Schemas['Key'];
export type KeyWithText = Schemas['KeyWithText'];
export type Webhook = Schemas['Webhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type Organization = Schemas['OrganizationSettings'];
export type ImportRecord = Schemas['Import'];
export type ContactFile = Schemas['ContactFile'];

/** The URL of the API. Other programs use the same one. */
export const API_URL = `${location.origin}${ROOT}/api/v1`;

/** The header that keeps the service from storing a request twice. */
const KEY_HEADER = 'idempotency-key';

/** A request with the same content is a new one when it is sent this long after one whose answer was lost. */
const REPEAT_MS = 3_600_000;

/**
 * `fetch`, which also notes that it has reached the service. The queries and the bar at the top of the page read it. An answer of a
 * proxy in place of the service is an error, as without a network.
 */
const fetchFromService: typeof fetch = async (input, init) => {
  const response = await sendOnce(new Request(input, init));
  onlineManager.setOnline(true);
  return response;
};

/**
 * Sends a request. A request whose answer was lost has the same `Idempotency-Key` when the person sends its content again within an
 * hour, also after a reload: the service may have stored the first one. A webhook is sent as it is.
 */
async function sendOnce(request: Request): Promise<Response> {
  const key = request.headers.get(KEY_HEADER);
  // The tab must not store the headers of a webhook, which are secrets.
  if (key === null || request.url.endsWith('/webhooks')) return fetchAnswer(request);
  const name = `offplan-sent:${request.url} ${await request.clone().text()}`;
  const [sentMs, sentKey = key] = tabStorage.read(name)?.split(' ') ?? [];
  const first = Date.now() - Number(sentMs) < REPEAT_MS ? sentKey : key;
  tabStorage.write(name, `${Date.now()} ${first}`);
  request.headers.set(KEY_HEADER, first);
  const response = await fetchAnswer(request);
  const { status, headers } = response;
  // After a 401 or a 403, the person may sign in or confirm, and the request is sent again.
  if (status < 500 && status !== 401 && status !== 403 && !headers.has('retry-after'))
    tabStorage.remove(name);
  return response;
}

async function fetchAnswer(request: Request): Promise<Response> {
  const response = await fetch(request);
  const { status, headers } = response;
  // A proxy that cannot reach the service answers 502, 503 or 504. Each answer of the service has a request id.
  if (status >= 502 && status <= 504 && !headers.has('x-request-id'))
    throw new TypeError('A proxy answers in place of the service.');
  return response;
}

type AnyCall = (...args: unknown[]) => Promise<unknown>;

const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const;

/** Makes a client that does each call of another one through `wrap`. */
const wrapCalls = (plain: OffplanClient, wrap: (call: AnyCall) => AnyCall): OffplanClient =>
  Object.fromEntries(METHODS.map((method) => [method, wrap(plain[method] as AnyCall)])) as never;

/** Notes that the service cannot be reached when the last attempt of a call has failed. */
const noteFailure =
  (call: AnyCall): AnyCall =>
  (...args) =>
    call(...args).catch((error: unknown) => {
      // A request that is aborted fails with another error.
      if (error instanceof TypeError) onlineManager.setOnline(false);
      throw error;
    });

const client = wrapCalls(
  createClient({ baseUrl: API_URL, retries: 1, fetch: fetchFromService }),
  noteFailure,
);

/** Problems that a person solves in a dialog. The request is then sent again. */
const QUESTIONS: Partial<Record<string, Question>> = {
  session_ended: 'sign-in',
  // The answer `session_ended` also deletes the cookie, so later requests have no credentials.
  missing_api_key: 'sign-in',
  confirmation_required: 'confirmation',
  second_step_setup_required: 'second-step',
};

async function askAndRepeat<T>(send: () => Promise<T>): Promise<T> {
  const before = countSignOuts();
  try {
    return await send();
  } catch (error) {
    const question = error instanceof ProblemError ? QUESTIONS[error.code] : undefined;
    const isGone = before !== countSignOuts();
    if (question === undefined || isGone || !(await ask(question))) throw error;
    return askAndRepeat(send);
  }
}

/** Makes a client that asks the person in a dialog, as `api` does. */
export const withQuestions = (plain: OffplanClient): OffplanClient =>
  wrapCalls(
    plain,
    (call) =>
      (...args) =>
        askAndRepeat(() => call(...args)),
  );

/**
 * The client of this installation's API. It sends the cookie of the session. When the session has ended, the password must be
 * confirmed, or a second step must be set up, a dialog asks the person; the call is then sent again. It throws a
 * `ProblemError` for any other refusal.
 */
export const api = withQuestions(client);

/** The API without the dialogs: for signing in, and for asking whether somebody is signed in. */
export const plainApi: OffplanClient = client;

/** Sends a request to note whether the service can be reached. */
export const probeService = (): void =>
  void client
    .GET('/events/head', { retries: 0, timeoutMs: PROBE_TIMEOUT_MS })
    .catch(() => undefined);

/** The bar at the top sends a probe at this interval, too, so that probes do not pile up. */
const PROBE_TIMEOUT_MS = 3_000;

/** Waits for a row that may be gone: undefined when it was deleted, or merged into another one. */
export const unlessGone = <T>(row: Promise<T>): Promise<T | undefined> =>
  row.catch((error: unknown) => {
    if (error instanceof ProblemError && [404, 410].includes(error.status)) return undefined;
    throw error;
  });

/** Makes the `If-Match` header of an edit: the version that the person saw. */
export const ifMatch = (etag: string) => ({ 'If-Match': etag });
