import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { texts } from '../text/texts.ts';
import './picker.css';

export interface PickerOption {
  id: string;
  label: ReactNode;
  /** A text after the label, such as a price. */
  detail?: ReactNode;
}

interface PickerProps {
  /** The name of the field for screen readers, and its placeholder. */
  label: string;
  text: string;
  onText: (text: string) => void;
  /** The options that match the text. */
  options: readonly PickerOption[];
  isLoading?: boolean;
  /** The text for no matches. */
  empty: string;
  onChoose: (id: string) => void;
  /** Called by Escape, and when the focus leaves. Without it, the picker stays open. */
  onClose?: (() => void) | undefined;
}

/** A combo box that finds one of many options. It gets the focus; the arrow keys move, Enter chooses, Escape closes. */
export function Picker({
  label,
  text,
  onText,
  options,
  isLoading = false,
  empty,
  onChoose,
  onClose,
}: PickerProps) {
  const id = useId();
  const [active, setActive] = useState(0);
  const index = Math.min(active, options.length - 1);
  const chosen = options[index];

  // When Enter comes before the matching options have loaded, choose the first one as soon as they have.
  const isWaiting = useRef(false);
  const chooseFirst = useEffectEvent(() => {
    if (options[0] !== undefined && isWaiting.current) onChoose(options[0].id);
    isWaiting.current = false;
  });
  useEffect(() => {
    if (!isLoading) chooseFirst();
  }, [isLoading]);

  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The field can be at the bottom of the window, where the list would open, or grow, below the end.
    if (options.length > 0) list.current?.scrollIntoView({ block: 'nearest' });
  }, [options.length]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0)
      setActive((index + step + options.length) % options.length);
    else if (event.key === 'Enter') {
      if (isLoading) isWaiting.current = true;
      else if (chosen !== undefined) onChoose(chosen.id);
    } else if (event.key === 'Escape' && onClose !== undefined) onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      className="picker"
      onBlur={({ currentTarget, relatedTarget }) => {
        // When the whole window loses the focus, stay open and keep the text.
        if (document.hasFocus() && !currentTarget.contains(relatedTarget)) onClose?.();
      }}
    >
      <input
        className="control"
        role="combobox"
        aria-label={label}
        placeholder={label}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
        autoComplete="off"
        autoFocus
        value={text}
        onChange={(event) => {
          setActive(0);
          isWaiting.current = false;
          onText(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="picker-popup">
        <div className="picker-list" ref={list}>
          <div id={`${id}-list`} role="listbox" aria-label={label}>
            {options.map((option, at) => (
              <button
                key={option.id}
                id={`${id}-${option.id}`}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={at === index}
                className="picker-option"
                ref={at === index ? scrollTo : undefined}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => setActive(at)}
                onClick={() => onChoose(option.id)}
              >
                <span>{option.label}</span>
                {option.detail !== undefined && (
                  <span className="picker-detail">{option.detail}</span>
                )}
              </button>
            ))}
          </div>
          <p role="status" className="picker-status">
            {options.length === 0 && (isLoading ? texts.loading : empty)}
          </p>
        </div>
      </div>
    </div>
  );
}

function scrollTo(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
