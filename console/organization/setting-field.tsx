import { useId } from 'react';
import { AreaField, Field, SelectField } from '../parts/form/field.tsx';
import { listOptions, type Setting } from './fields.ts';
import { texts } from './texts.ts';

/** The names of currencies are in the language of the console. */
const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });

/** The control of one setting. */
export function SettingField({
  setting: { name, type, isRequired = false },
  value,
  onChange,
}: {
  setting: Setting;
  value: string;
  onChange: (text: string) => void;
}) {
  const listId = useId();
  const control = {
    name,
    label: texts.labels[name],
    hint: texts.hints[name],
    required: isRequired,
    value,
  };
  if (type === 'area')
    return (
      <AreaField {...control} maxLength={1_000} onChange={({ target }) => onChange(target.value)} />
    );
  if (type === 'choice')
    return (
      <SelectField {...control} onChange={({ target }) => onChange(target.value)}>
        {listOptions(name).map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </SelectField>
    );
  const hasList = type === 'zone' || type === 'currency';
  return (
    <>
      <Field
        {...control}
        type={hasList ? 'text' : type}
        maxLength={1_000}
        {...(hasList && { list: listId })}
        onChange={({ target }) => onChange(target.value)}
      />
      {hasList && (
        <datalist id={listId}>
          {(type === 'zone' ? listZones() : listCurrencies()).map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

const listZones = (): [value: string, label: string][] =>
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone.replaceAll('_', ' ')]);

const listCurrencies = (): [value: string, label: string][] =>
  Intl.supportedValuesOf('currency').map((code) => [code, currencyNames.of(code) ?? code]);
