import { useState, type ReactNode } from 'react';
import { Icon } from '../button/icon.tsx';
import { fold } from '../domain/names.ts';
import { useTrigger } from '../keyboard/focus.ts';
import { choiceTexts as texts } from './choice-texts.ts';
import { FilterChoice, type Option } from './filter-choice.tsx';
import { Picker } from './picker.tsx';

const LISTED_MAX_COUNT = 12;

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  /** In place of `control`. */
  className?: string;
}

/** Chooses one of the values of a filter, such as a project or a person. A search finds one of many. */
export function FindChoice(props: ChoiceProps) {
  const { label, value, options, onChange, className } = props;
  if (options.length <= LISTED_MAX_COUNT) return <FilterChoice {...props} />;
  const shown = options.find(({ id }) => id === value)?.name ?? label;
  return (
    <SearchChoice label={label} shown={shown} className={className}>
      {(close) => (
        <OptionPicker
          label={label}
          options={options}
          onClose={close}
          onChoose={(id) => {
            close();
            onChange(id);
          }}
        />
      )}
    </SearchChoice>
  );
}

interface SearchProps {
  label: string;
  /** The name of the chosen value. */
  shown: string;
  className?: string | undefined;
  /** The search. */
  children: (close: () => void) => ReactNode;
}

/** A button with the chosen value of a filter. A search replaces it while the person chooses. */
export function SearchChoice({ label, shown, className = 'control', children }: SearchProps) {
  const [isOpen, setOpen] = useState(false);
  const trigger = useTrigger(isOpen);
  if (isOpen) return children(() => setOpen(false));
  return (
    <button
      ref={trigger}
      type="button"
      className={className}
      aria-label={texts.chosen(label, shown)}
      title={shown}
      onClick={() => setOpen(true)}
    >
      <span className="control-text">{shown}</span>
      <Icon name="down" />
    </button>
  );
}

interface OptionPickerProps {
  label: string;
  options: readonly Option[];
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Finds the options by a part of their names. */
function OptionPicker({ label, options, onChoose, onClose }: OptionPickerProps) {
  const [text, setText] = useState('');
  const searched = fold(text.trim());
  return (
    <Picker
      label={label}
      text={text}
      onText={setText}
      options={options
        .filter(({ name = '' }) => fold(name).includes(searched))
        .map(({ id, name }) => ({ id, label: name }))}
      empty={texts.notFound}
      onClose={onClose}
      onChoose={onChoose}
    />
  );
}
