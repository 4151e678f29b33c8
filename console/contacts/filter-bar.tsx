import { Button } from '../parts/button/button.tsx';
import { Icon } from '../parts/button/icon.tsx';
import { keepFocus } from '../parts/keyboard/keep-focus.ts';
import { lazyPart } from '../parts/page/lazy-part.tsx';
import { Popup } from '../parts/popup/popup.tsx';
import { useSession } from '../session/session.tsx';
import { useFilterWords } from './filter-values.ts';
import {
  FILTER_NAMES,
  isSet,
  withoutFilters,
  type ChangeAddress,
  type FilterQuery,
} from './query.ts';
import { filterTexts as texts, texts as pageTexts } from './texts.ts';

const FilterPanel = lazyPart(() => import('./filter-panel.tsx'));

/** The filters in use, each as a chip that opens it, and a button that adds one. */
export function FilterBar({ filter, change }: { filter: FilterQuery; change: ChangeAddress }) {
  const { me } = useSession();
  const { timeZone } = me.account;
  const words = useFilterWords(filter, timeZone);
  const set = FILTER_NAMES.filter((name) => isSet(filter, name));
  const panel = { filter, change, timeZone };
  return (
    <>
      {set.map((name) => (
        <span key={name} className="contacts-chip" ref={keepFocus}>
          <Popup
            className="contacts-chip-value"
            title={texts.names[name]}
            name={texts.edit(texts.names[name], words(name))}
            button={
              <>
                <span className="contacts-chip-name">{texts.names[name]}</span>
                <span className="contacts-chip-words">{words(name)}</span>
              </>
            }
          >
            {() => <FilterPanel {...panel} name={name} />}
          </Popup>
          <button
            type="button"
            className="contacts-chip-remove"
            aria-label={texts.remove(texts.names[name])}
            onClick={() => change(withoutFilters([name]))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <Popup
        className="button button-plain"
        title={texts.add}
        button={
          <>
            <Icon name="plus" />
            {texts.add}
          </>
        }
      >
        {() => <FilterPanel {...panel} />}
      </Popup>
      {set.length > 1 && (
        <Button look="bare" ref={keepFocus} onClick={() => change(withoutFilters(FILTER_NAMES))}>
          {pageTexts.clearFilters}
        </Button>
      )}
    </>
  );
}
