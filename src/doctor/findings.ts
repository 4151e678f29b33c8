/** The result of a check. A warning says in `advice` what the operator should do next. */
export interface Finding {
  status: 'ok' | 'warning' | 'unknown';
  /** A sentence that says what the check found. */
  found: string;
  advice?: string;
}

export const ok = (found: string): Finding => ({ status: 'ok', found });

/** A check that could not be made, such as one of something that the role may not see. */
export const unknown = (found: string): Finding => ({ status: 'unknown', found });

export const warning = (found: string, advice: string): Finding => ({
  status: 'warning',
  found,
  advice,
});
