import { useEffect, useState } from 'react';

/** Follows a value after it has been still for a moment, so that a request goes out for a word and not for each letter. */
export function useDebounced<T>(value: T, waitMs = 150): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return settled;
}
