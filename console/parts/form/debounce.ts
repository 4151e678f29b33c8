import { useEffect, useState } from 'react';

/** Debounces a value: returns it when it has not changed for `waitMs`. A search then sends a request for a word, not for each letter. */
export function useDebounced<T>(value: T, waitMs = 150): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return settled;
}
