import { ProblemError, type Problem } from '../../api.ts';

const SESSION_ENDED = 'Your session has ended. Sign in again.';

/**
 * The sentences for problem codes that people meet. For any other code, the console shows the service's `detail`, which says what
 * is wrong and what would be right.
 */
const SENTENCES: Partial<Record<Problem['code'], string>> = {
  assignment_not_allowed: 'You can assign a contact to yourself or to nobody.',
  confirmation_required: 'Confirm your password first.',
  contact_not_found: 'This contact is gone, or you may not see it.',
  duplicate_contacts: 'Two contacts have this email. Merge them first.',
  email_in_use: 'Another contact has this email.',
  insufficient_access: 'Your role does not allow this. Ask an owner.',
  internal_error: 'The service has a fault. Try again, or tell whoever runs it.',
  // The answer `session_ended` deletes the cookie, so later requests have no credentials.
  missing_api_key: SESSION_ENDED,
  precondition_failed: 'This was changed meanwhile, so nothing is done. Look at it again.',
  project_not_found: 'This project is deleted.',
  session_ended: SESSION_ENDED,
  second_step_setup_required: 'Turn your second step on first.',
  sign_in_failed: 'The email, the password or the code is wrong.',
  unit_not_found: 'This unit is deleted.',
};

/** Describes in a sentence why a request failed. The sentence is still true when the service can be reached again. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof ProblemError) || isFromProxy(error))
    return 'The service could not be reached. Check your connection, and try again.';
  if (error.code === 'too_many_attempts') return describeWait('tries', error.retryAfter);
  if (error.code === 'rate_limited') return describeWait('requests', error.retryAfter);
  // The person has sent a file or a text, not the body of a request.
  if (error.code === 'body_too_large')
    return error.detail.replace('The body', 'It is too large: it');
  // The answer has no problem: it is not the service's.
  if (error.code === 'unknown')
    return `${error.status === 413 ? 'It is too large: a' : 'A'} server before the service refused it. Ask whoever runs it.`;
  return (
    SENTENCES[error.code] ??
    (error.code.endsWith('_not_found') ? 'It is gone, or you may not see it.' : error.detail)
  );
}

/** Whether a proxy answered in place of the service. Its answer has no problem, and with HTTP/2 not even a status text. */
const isFromProxy = ({ code, status }: ProblemError): boolean =>
  code === 'unknown' && status >= 502 && status <= 504;

/** Describes why a change is not saved, in a sentence that is still true when the service can be reached again. */
export const describeUnsaved = (error: unknown): string =>
  error instanceof ProblemError
    ? describeProblem(error)
    : 'The service could not be reached, so this is not saved. Save it again.';

function describeWait(what: string, seconds = 60): string {
  const minutes = Math.ceil(seconds / 60);
  return `That was too many ${what}. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}
