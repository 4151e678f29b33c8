import { useEffect, useEffectEvent, useRef } from 'react';
import { useAddress } from '../parts/address.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { TYPED_FILTERS } from './filter.ts';
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
  const applyAtEnd = useEffectEvent(apply);
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
        label={texts.bedrooms}
        name="bedrooms"
        hint={texts.bedroomsHint}
        pattern="[0-9., ]*"
        defaultValue={query.get('bedrooms') ?? ''}
        onBlur={apply}
      />
      <Field
        label={texts.level}
        name="level"
        hint={texts.levelHint}
        defaultValue={query.get('level') ?? ''}
        onBlur={apply}
      />
      <Field
        label={texts.priceFrom}
        name="priceMin"
        type="number"
        min="0"
        step="any"
        defaultValue={query.get('priceMin') ?? ''}
        onBlur={apply}
      />
      <Field
        label={texts.priceTo}
        name="priceMax"
        type="number"
        min="0"
        step="any"
        defaultValue={query.get('priceMax') ?? ''}
        onBlur={apply}
      />
      {id === undefined && (
        <Button type="submit" look="filled">
          {texts.show}
        </Button>
      )}
    </form>
  );
}

function readTyped(form: HTMLFormElement): Record<string, string> {
  const values = new FormData(form);
  return Object.fromEntries(
    TYPED_FILTERS.map((name) => {
      const value = values.get(name);
      return [name, typeof value === 'string' ? value.trim() : ''];
    }),
  );
}
