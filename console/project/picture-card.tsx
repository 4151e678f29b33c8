import { useId, useState, type ComponentProps } from 'react';
import type { Project } from '../api.ts';
import { Icon } from '../parts/icon.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { texts as shared } from '../parts/texts.ts';
import { Picture } from '../stock/picture.tsx';
import { texts } from './texts.ts';

interface PictureCardProps {
  picture: Project['galleryImages'][number];
  place: number;
  count: number;
  isHero: boolean;
  canWrite: boolean;
  handle: Pick<
    ComponentProps<'button'>,
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onKeyDown'
  >;
  onMove: (to: number) => void;
  onAlt: (alt: string | null) => Promise<void>;
  onHero: () => void;
  onRemove: () => void;
}

/** One picture with its text, its handle and its menu. */
export function PictureCard(props: PictureCardProps) {
  const { picture, place, count, isHero, canWrite, handle } = props;
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
    <li className="picture-card" data-place={place}>
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
      <AltText alt={picture.alt ?? null} label={label} canWrite={canWrite} onAlt={props.onAlt} />
    </li>
  );
}

/** The field of a picture's alternative text. It is saved when the focus leaves it. A missing text is marked. */
export function AltText({
  alt,
  label,
  canWrite,
  onAlt,
}: {
  alt: string | null;
  label: string;
  canWrite: boolean;
  onAlt: (alt: string | null) => Promise<void>;
}) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? alt ?? '';

  async function save(): Promise<void> {
    const next = text.trim() === '' ? null : text.trim();
    if (typed === undefined || next === alt) return setTyped(undefined);
    await onAlt(next);
    setTyped(undefined);
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
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => void save()}
        onKeyDown={({ key }) => {
          if (key === 'Enter') void save();
          if (key === 'Escape') setTyped(undefined);
        }}
      />
      {text === '' && (
        <p className="picture-alt-missing">
          <Icon name="warning" />
          {texts.pictures.altMissing}
        </p>
      )}
    </div>
  );
}
