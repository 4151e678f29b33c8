import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useRouter } from 'wouter';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { useDebounced } from '../parts/form/debounce.ts';
import { useSearch, type Hit } from './search.ts';
import { texts } from './texts.ts';
import './palette.css';

/**
 * The palette: it finds records, pages and the actions of the open page by a few letters. The arrow keys move, Enter opens, Ctrl
 * Enter opens in a new tab. Enter waits for the answer of the search: the first hit may be another one then.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [, navigate] = useLocation();
  const { base } = useRouter();
  const typed = text.trim();
  const { hits, isSearching } = useSearch(typed, useDebounced(typed));
  const index = Math.min(active, hits.length - 1);
  const waiting = useRef<{ inNewTab: boolean }>(null);

  function open({ to }: Hit, inNewTab: boolean): void {
    // Close first: the dialog gives the focus back, and the action may move it.
    flushSync(onClose);
    if (typeof to === 'function') to();
    else if (inNewTab) window.open(base + to, '_blank', 'noopener');
    else navigate(to);
  }

  const openFirst = useEffectEvent(() => {
    const [first] = hits;
    if (waiting.current !== null && first !== undefined) open(first, waiting.current.inNewTab);
    waiting.current = null;
  });
  useEffect(() => {
    // React closes the palette at once only outside its own effects.
    if (!isSearching) queueMicrotask(openFirst);
  }, [isSearching]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const hit = hits[index];
    const inNewTab = event.ctrlKey || event.metaKey;
    if (step !== undefined && hits.length > 0)
      setActive((index + step + hits.length) % hits.length);
    // A hit that the person has moved to is the one they want.
    else if (event.key === 'Enter' && isSearching && index <= 0) waiting.current = { inNewTab };
    else if (event.key === 'Enter' && hit !== undefined) open(hit, inNewTab);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title={texts.title} onClose={onClose}>
      <input
        className="control"
        role="combobox"
        aria-label={texts.title}
        aria-describedby={`${id}-hint`}
        aria-expanded={hits.length > 0}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={index < 0 ? undefined : `${id}-${index}`}
        autoComplete="off"
        autoFocus
        value={text}
        onChange={(event) => {
          setActive(0);
          waiting.current = null;
          setText(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <p className="palette-hint" id={`${id}-hint`}>
        {texts.hint}
      </p>
      <div className="palette-list" id={`${id}-list`} role="listbox" aria-label={texts.title}>
        {hits.map((hit, at) => (
          <button
            key={typeof hit.to === 'string' ? `${hit.label} ${hit.to}` : hit.label}
            id={`${id}-${at}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            className="palette-hit"
            ref={at === index ? scrollTo : undefined}
            onClick={(event) => open(hit, event.ctrlKey || event.metaKey)}
          >
            <span>{hit.label}</span>
            <span className="palette-detail">{hit.detail}</span>
            <span className="palette-group">{hit.group}</span>
          </button>
        ))}
      </div>
      <p role="status" className="palette-hint">
        {hits.length === 0 && !isSearching ? (
          texts.nothing
        ) : (
          <span className="keys-only">{texts.keys}</span>
        )}
      </p>
    </Dialog>
  );
}

function scrollTo(hit: HTMLElement | null): void {
  hit?.scrollIntoView({ block: 'nearest' });
}
