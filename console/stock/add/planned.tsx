import { Notice } from '../../parts/message/notice.tsx';
import { formatMoney } from '../../parts/text/format.ts';
import { useProjectUnits } from '../project-units.ts';
import { stockTexts } from '../stock-texts.ts';
import { UNITS_MAX_COUNT } from '../unit-data.ts';
import type { NewUnit } from './plan-units.ts';
import { texts } from './planned-texts.ts';

interface PlannedProps {
  units: readonly NewUnit[];
  isBuilding: boolean;
  currency: string | null;
  /** The project that gets the units; '' when it is not chosen yet. */
  projectId: string;
}

/** Shows the units of a new building before they are added, and warns of names that the project has already. */
export default function Planned({ units, isBuilding, currency, projectId }: PlannedProps) {
  return (
    <>
      {isBuilding && <Building units={units} currency={currency} />}
      <Repeated units={units} projectId={projectId} />
    </>
  );
}

const SHOWN_MAX_COUNT = 12;

function Building({ units, currency }: Pick<PlannedProps, 'units' | 'currency'>) {
  if (units.length === 0) return <p role="status">{texts.none}</p>;
  if (units.length > UNITS_MAX_COUNT) return <p role="status">{texts.tooMany}</p>;
  const first = units.slice(0, SHOWN_MAX_COUNT - 1);
  const last = units.length > first.length ? units.at(-1) : undefined;
  const shown = last === undefined ? first : [...first, last];
  return (
    <div>
      <p className="soft">{texts.preview}</p>
      <ul className="add-units-list">
        {shown.map(({ name, level, price }) => (
          <li key={`${level} ${name}`}>
            <b>{name}</b>
            <span className="soft">
              {[
                `${stockTexts.fields['level']} ${level}`,
                price == null ? stockTexts.noPrice : formatMoney(price, currency ?? undefined),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {units.length > shown.length && (
        <p className="soft">{texts.more(units.length - shown.length)}</p>
      )}
    </div>
  );
}

/** Warns of new units whose names the project has already: somebody may have added the building before. */
function Repeated({ units, projectId }: { units: readonly NewUnit[]; projectId: string }) {
  const { data: existing = [] } = useProjectUnits(projectId === '' ? null : projectId);
  const names = new Set(existing.map(({ name }) => toKey(name)));
  const repeated = units.filter(({ name }) => names.has(toKey(name)));
  const [first] = repeated;
  if (first === undefined) return null;
  return (
    <div role="status">
      <Notice look="warning">
        {texts.repeated(repeated.length, units.length, first.name ?? '')}
      </Notice>
    </div>
  );
}

const toKey = (name = ''): string => name.trim().toLowerCase();
