import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { Field } from '../parts/form/field.tsx';
import { formatNumber } from '../parts/text/format.ts';
import { TYPED_FILTERS } from './filter.ts';
import { filterTexts } from './filter-texts.ts';
import { readPrice } from './price.ts';
import { texts as shared } from '../parts/text/texts.ts';
import { texts } from './texts.ts';

/** The filters that a person types. A value applies when its field is left, and when the panel is closed in any way. */
export default function TypedFilters({ id, close }: { id?: string; close: () => void }) {
  const { query, change } = useAddress();
  const typed = useRef<Record<string, string>>(undefined);
  const apply = (): void => {
    if (typed.current === undefined) return;
    const values = typed.current;
    typed.current = undefined;
    change(values, { replace: true });
  };
  const shown = location.href;
  const applyAtEnd = useEffectEvent(() => {
    // Back has closed the panel together with its page: applying the value would lead the person to that page again.
    if (location.href === shown) apply();
  });
  useEffect(() => () => applyAtEnd(), []);
  return (
    <form
      id={id}
      className="more-filters"
      onChange={({ currentTarget }) => {
        typed.current = currentTarget.checkValidity() ? readTyped(currentTarget) : undefined;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
        close();
      }}
    >
      <Field
        label={filterTexts.bedrooms}
        name="bedrooms"
        hint={filterTexts.bedroomsHint}
        pattern="[0-9., ]*"
        defaultValue={query.get('bedrooms') ?? ''}
        onBlur={apply}
      />
      <Field
        label={filterTexts.level}
        name="level"
        hint={filterTexts.levelHint}
        defaultValue={query.get('level') ?? ''}
        onBlur={apply}
      />
      <PriceFilter label={filterTexts.priceFrom} name="priceMin" onLeave={apply} />
      <PriceFilter label={filterTexts.priceTo} name="priceMax" onLeave={apply} />
      {id === undefined && (
        <Button type="submit" look="filled">
          {shared.show}
        </Button>
      )}
    </form>
  );
}

interface PriceFilterProps {
  label: string;
  name: 'priceMin' | 'priceMax';
  onLeave: () => void;
}

function PriceFilter({ label, name, onLeave }: PriceFilterProps) {
  const { query } = useAddress();
  const [error, setError] = useState<string>();
  const value = query.get(name) ?? '';
  return (
    <Field
      label={label}
      name={name}
      inputMode="decimal"
      defaultValue={value && formatNumber(Number(value))}
      error={error}
      onInput={({ currentTarget: field }) => {
        field.setCustomValidity(readPrice(field.value) === undefined ? texts.noPriceValue : '');
        setError(undefined);
      }}
      onBlur={({ currentTarget: field }) => {
        setError(field.validationMessage || undefined);
        onLeave();
      }}
    />
  );
}

function readTyped(form: HTMLFormElement): Record<string, string> {
  const values = new FormData(form);
  return Object.fromEntries(
    TYPED_FILTERS.map((name) => {
      const value = values.get(name);
      const text = typeof value === 'string' ? value.trim() : '';
      return [name, name.startsWith('price') ? String(readPrice(text) ?? '') : text];
    }),
  );
}
