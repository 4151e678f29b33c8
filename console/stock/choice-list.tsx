import { useAddress } from '../parts/browser/address.ts';
import { readChosen } from './filter.ts';
import { stockTexts } from './stock-texts.ts';

export interface Choices {
  name: 'status' | 'unitType';
  /** The text while no value is chosen. */
  any: string;
  choices: readonly string[];
}

/** The check boxes of some values. `isNamed` shows the field above them. */
export default function ChoiceList({
  name,
  choices,
  isNamed = false,
}: Choices & { isNamed?: boolean }) {
  const { query, change } = useAddress();
  const chosen = readChosen(query, name);
  function toggle(choice: string): void {
    const next = choices.filter((each) => chosen.includes(each) !== (each === choice));
    change({ [name]: next.join(',') }, { replace: true });
  }
  return (
    <fieldset className="choices">
      <legend className={isNamed ? undefined : 'hidden-text'}>
        {stockTexts.fields[name] ?? name}
      </legend>
      {choices.map((choice) => (
        <label key={choice} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={() => toggle(choice)}
          />
          <span>
            {choice}{' '}
            {choice in stockTexts.sold && (
              <span className="choice-hint">
                {stockTexts.soldStep(stockTexts.sold[choice] ?? '')}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
