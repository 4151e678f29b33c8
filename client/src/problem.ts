import type { components } from './schema.ts';

/** The body of a refusal, as RFC 9457 describes it. A later version of the service may have other codes, too. */
export type Problem = Omit<components['schemas']['Problem'], 'code'> & {
  code: components['schemas']['Problem']['code'] | (string & {});
};

/** An answer whose status is not 2xx. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Names the kind of problem; branch on it. It is `unknown` for an answer that is not the service's, such as a proxy's. */
  readonly code: Problem['code'];
  /** Says what is wrong with the request, and what would be right. */
  readonly detail: string;
  /** The fields, query parameters and headers at fault. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** The seconds after which the request may be sent again. */
  readonly retryAfter: number | undefined;
  /** The whole body. Some problems have further members, such as `matchingContactIds`. */
  readonly problem: Partial<Problem>;

  constructor({ status, statusText, headers }: Response, problem: Partial<Problem>) {
    const { code = 'unknown', detail = statusText, errors = [], requestId } = problem;
    super(`${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId ?? headers.get('x-request-id') ?? undefined;
    this.retryAfter = readRetryAfter(headers);
    this.problem = problem;
  }
}

/** Makes the error of an answer, and reads its body for that. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  return new ProblemError(response, isProblem ? ((await response.json()) as Problem) : {});
}

/** Reads `Retry-After`, which is a number of seconds or a time, in seconds. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
