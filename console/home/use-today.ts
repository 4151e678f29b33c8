import { useEffect, useState } from 'react';
import { toDay } from '../parts/time/days.ts';

const MINUTE_MS = 60_000;

/** Returns the day in a time zone. On a page that stays open, the next day begins at midnight. */
export function useToday(timeZone: string): string {
  const [today, setToday] = useState(() => toDay(new Date(), timeZone));
  useEffect(() => {
    const timer = setInterval(() => setToday(toDay(new Date(), timeZone)), MINUTE_MS);
    return () => clearInterval(timer);
  }, [timeZone]);
  return today;
}
