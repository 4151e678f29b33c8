import { useEffect, useEffectEvent, useState } from 'react';
import { useDebounced } from '../parts/debounce.ts';
import type { ContactList } from './use-list.ts';
import { texts } from './texts.ts';

/** Finds contacts by name, email or phone while the person types. */
export function SearchField({ filter, change }: Pick<ContactList, 'filter' | 'change'>) {
  const [text, setText] = useState(filter.q ?? '');
  const settled = useDebounced(text.trim(), 250);
  const [shown, setShown] = useState(filter.q);
  // Back, or another view, has changed the search in the address.
  if (shown !== filter.q) {
    setShown(filter.q);
    if ((filter.q ?? '') !== text.trim()) setText(filter.q ?? '');
  }
  const search = useEffectEvent((q: string) => {
    const wanted = q.length < 2 ? undefined : q;
    if (wanted !== filter.q) change({ q: wanted ?? null }, { replace: true });
  });
  useEffect(() => search(settled), [settled]);
  return (
    <input
      type="search"
      className="control contacts-search"
      aria-label={texts.search}
      placeholder={texts.search}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
