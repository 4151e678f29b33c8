import { useState } from 'react';
import type { Key } from '../api.ts';
import { Field } from '../parts/form/field.tsx';
import { readText } from '../parts/form/form.tsx';
import { endOfDay, toDay } from '../parts/time/days.ts';
import { useSession } from '../session/session.tsx';
import { LIMITS } from './limits.ts';
import { texts } from './texts.ts';

type Limits = Key['rateLimits'];
const NONE: Limits = {};

/** The names of the fields of a key that a draft keeps. The text of a key is in no form. */
export const KEPT_FIELDS = [
  'name',
  'preset',
  'expiresAt',
  ...LIMITS.map((name) => `limit-${name}`),
];

/** Returns functions that convert the day of the form to the instant at which a key expires, and back, in the account's time zone. */
export function useExpiry() {
  const { me } = useSession();
  const { timeZone } = me.account;
  return {
    findToday: (): string => toDay(new Date(), timeZone),
    showDay: (expiresAt: string | null): string =>
      expiresAt === null ? '' : toDay(new Date(Date.parse(expiresAt) - 1), timeZone),
    readExpiry: (values: FormData): string | null => {
      const day = readText(values, 'expiresAt');
      return day === null ? null : endOfDay(day, timeZone);
    },
  };
}

/** The field of the last day on which a key works. */
export function ExpiryField({ expiresAt = null }: { expiresAt?: string | null }) {
  const { findToday, showDay } = useExpiry();
  const [today] = useState(findToday);
  return (
    <Field
      label={texts.expires}
      name="expiresAt"
      type="date"
      min={today}
      hint={texts.expiresHint}
      defaultValue={showDay(expiresAt)}
    />
  );
}

/** The fields of a key's own rate limits. They are folded away, because most keys need none. */
export function LimitFields({ limits = NONE }: { limits?: Limits }) {
  const isLimited = LIMITS.some((name) => limits[name] != null);
  return (
    <details className="keys-limits" open={isLimited}>
      <summary>{texts.limits}</summary>
      <p className="field-hint">{texts.limitsHint}</p>
      {LIMITS.map((name) => (
        <Field
          key={name}
          label={texts.limitNames[name]}
          name={`limit-${name}`}
          type="number"
          min={1}
          max={1_000_000_000}
          defaultValue={limits[name] ?? ''}
        />
      ))}
    </details>
  );
}

/** Reads the limits of a form. An empty field is null: the limit of the service. */
export function readLimits(values: FormData): Limits {
  const read = (name: string): number | null => {
    const text = readText(values, `limit-${name}`);
    return text === null ? null : Number(text);
  };
  return { reads: read('reads'), imports: read('imports'), writes: read('writes') };
}
