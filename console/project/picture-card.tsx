import { useId, useRef, type ComponentProps } from 'react';
import type { Project } from '../api.ts';
import { Icon } from '../parts/button/icon.tsx';
import { useDraft } from '../parts/draft/draft.ts';
import { keepFocus } from '../parts/keyboard/keep-focus.ts';
import { MenuButton } from '../parts/popup/menu.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { Picture } from '../stock/picture.tsx';
import { texts } from './texts.ts';

interface PictureCardProps {
  picture: Project['galleryImages'][number];
  /** The name of the draft of the text. */
  subject: string;
  place: number;
  count: number;
  isHero: boolean;
  canWrite: boolean;
  handle: Pick<ComponentProps<'button'>, 'onPointerDown' | 'onKeyDown'>;
  onMove: (to: number) => void;
  onAlt: (alt: string | null) => Promise<boolean>;
  onHero: () => void;
  onRemove: () => void;
}

/** One picture with its text, its handle and its menu. */
export function PictureCard(props: PictureCardProps) {
  const { picture, subject, place, count, isHero, canWrite, handle } = props;
  const label = picture.alt ?? texts.pictures.name(place + 1);
  const choices = [
    { id: 'hero', label: texts.pictures.makeHero, isDisabled: isHero },
    { id: 'earlier', label: texts.pictures.earlier, isDisabled: place === 0 },
    { id: 'later', label: texts.pictures.later, isDisabled: place === count - 1 },
    { id: 'remove', label: shared.remove, isDanger: true },
  ];
  function choose(id: string): void {
    if (id === 'hero') props.onHero();
    else if (id === 'remove') props.onRemove();
    else props.onMove(place + (id === 'later' ? 1 : -1));
  }
  return (
    <li className="picture-card" data-place={place} ref={keepFocus}>
      <Picture picture={picture} className="picture-card-image" />
      <div className="picture-card-tools">
        {canWrite && (
          <button
            type="button"
            className="handle"
            aria-label={texts.pictures.move(label)}
            {...handle}
          >
            <Icon name="grip" />
          </button>
        )}
        <span className="picture-card-name">
          {isHero ? texts.pictures.isHero : texts.pictures.name(place + 1)}
          {picture.width != null && picture.height != null && (
            <span className="soft">{texts.pictures.size(picture.width, picture.height)}</span>
          )}
        </span>
        {canWrite && (
          <MenuButton
            look="bare"
            label=""
            name={texts.pictures.menu(label)}
            choices={choices}
            onChoose={choose}
          />
        )}
      </div>
      <AltText
        alt={picture.alt ?? null}
        subject={subject}
        label={label}
        canWrite={canWrite}
        onAlt={props.onAlt}
      />
    </li>
  );
}

/** The field of a picture's alternative text. It is saved when the focus leaves it. A missing text is marked. */
export function AltText({
  alt,
  subject,
  label,
  canWrite,
  onAlt,
}: {
  alt: string | null;
  /** The name of the draft, which keeps a text that is not saved. */
  subject: string;
  label: string;
  canWrite: boolean;
  /** Saves the text. Returns whether it is saved. */
  onAlt: (alt: string | null) => Promise<boolean>;
}) {
  const id = useId();
  // A draft may be an emptied text, so it begins with a mark.
  const [draft, write, clear] = useDraft(`alt:${subject}`);
  const isSaving = useRef(false);
  const text = draft === '' ? (alt ?? '') : draft.slice(1);

  async function save(field: HTMLInputElement): Promise<void> {
    if (draft === '' || isSaving.current) return;
    const next = text.trim() === '' ? null : text.trim();
    isSaving.current = true;
    const isSaved = next === alt || (await onAlt(next));
    isSaving.current = false;
    if (isSaved && field.value === text) clear();
  }

  return (
    <div className="picture-alt">
      <label htmlFor={id}>
        {texts.pictures.alt}
        <span className="hidden-text">: {label}</span>
      </label>
      <input
        id={id}
        className="control"
        value={text}
        maxLength={1_000}
        readOnly={!canWrite}
        placeholder={texts.pictures.altHint}
        aria-describedby={draft === '' ? undefined : `${id}-draft`}
        onChange={({ target }) => write(`=${target.value}`)}
        onBlur={({ target }) => void save(target)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') void save(currentTarget);
          if (key === 'Escape') clear();
        }}
      />
      {draft !== '' && (
        <p id={`${id}-draft`} className="field-hint">
          {texts.pictures.notSaved}
        </p>
      )}
      {text === '' && (
        <p className="picture-alt-missing">
          <Icon name="warning" />
          {texts.pictures.altMissing}
        </p>
      )}
    </div>
  );
}
