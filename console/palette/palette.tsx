import { useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/dialog.tsx';
import { LAST_ITEMS, LEAD_ITEMS, MAIN_ITEMS, useAllowed } from '../frame/navigation.tsx';
import { texts } from './texts.ts';

/** Finds a page by its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const items = useAllowed([...MAIN_ITEMS, ...LEAD_ITEMS, ...LAST_ITEMS]);
  const found = items.filter(({ title }) =>
    title.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) navigate(found[0].to);
          onClose();
        }}
      >
        <input
          type="search"
          className="control"
          aria-label={texts.title}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      <ul>
        {found.map(({ to, title }) => (
          <li key={to}>
            <button
              type="button"
              className="navigation-link"
              onClick={() => {
                navigate(to);
                onClose();
              }}
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
