import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useDebounced } from '../parts/form/debounce.ts';
import type { ContactList } from './use-list.ts';
import { texts } from './texts.ts';

/** Finds contacts by name, email or phone while the person types. */
export function SearchField({ filter: { q }, change }: Pick<ContactList, 'filter' | 'change'>) {
  const [text, setText] = useState(q ?? '');
  const settled = useDebounced(text.trim(), 250);
  // The search that this field put into the address last, or took from it.
  const known = useRef(q);
  const search = useEffectEvent((wanted: string | undefined) => {
    if (wanted === q) return;
    known.current = wanted;
    change({ q: wanted ?? null }, { replace: true });
  });
  useEffect(() => search(settled.length < 2 ? undefined : settled), [settled]);
  // When Back or another view changes the search in the address, show it. A search of this field must not replace what was typed since.
  useEffect(() => {
    if (known.current === q) return;
    known.current = q;
    setText(q ?? '');
  }, [q]);
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
