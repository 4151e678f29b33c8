import { countCharacters, toEmailKey } from '../../platform/text/index.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const MIN_LENGTH = 12;
const MAX_LENGTH = 200;

/** Explains why a password is too weak for the person with this email. Returns null when it is strong enough. */
export function findPasswordFault(password: string, email: string): string | null {
  const length = countCharacters(password);
  if (length < MIN_LENGTH || length > MAX_LENGTH)
    return `must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`;
  const folded = password.toLowerCase();
  if (COMMON_PASSWORDS.has(folded) || new Set(folded).size === 1)
    return 'must not be one of the passwords that many people have';
  return toEmailKey(password) === toEmailKey(email) ? 'must not be the email' : null;
}
