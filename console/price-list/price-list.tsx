import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, API_URL, type Project, type Unit } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { DownloadLink } from '../parts/button/download-link.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { UnitStatus } from '../parts/domain/status.tsx';
import { CheckField } from '../parts/form/field.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { Empty, LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatTime } from '../parts/text/format.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { useSession } from '../session/session.tsx';
import { Picture } from '../stock/picture.tsx';
import { formatPrice } from '../stock/price.ts';
import { stockTexts } from '../stock/stock-texts.ts';
import { useProjectUnits } from '../stock/project-units.ts';
import { UNIT_FIELDS, unitText } from '../stock/unit-fields.ts';
import { ListPreview } from './list-preview.tsx';
import { planList, type ListPlan } from './send-list.ts';
import { texts } from './texts.ts';
import './price-list.css';

/** The columns that a person can choose for the list. The name and the price are always in it. */
const CHOICES = UNIT_FIELDS.map(({ name }) => name).filter(
  (name) => !['name', 'price', 'priceDisplay', 'currency'].includes(name),
);
const USUAL: readonly string[] = [
  'lotNumber',
  'unitType',
  'level',
  'bedrooms',
  'bathrooms',
  'landAreaSqm',
  'status',
];

/** The columns with words that a person typed, of any length. */
const TYPED = new Set<string>(['lotNumber', 'level', 'aspect']);

/** The page of a project's price list: print it, download it, and send an edited one. */
export function PriceList({ project }: { project: Project }) {
  const { query, change } = useAddress();
  const { can } = useSession();
  const { data: units, error, refetch, dataUpdatedAt } = useProjectUnits(project.id);
  const isAvailableOnly = query.get('available') === 'only';
  const columns = new Set(query.get('columns')?.split(',') ?? USUAL);
  const shown = units?.filter(({ status }) =>
    isAvailableOnly ? status === 'Available' : status !== 'Withdrawn',
  );
  // A project of land has no bedrooms, and its lots often have no other name. A column in which no shown unit has a value, and a
  // column of lots that are the names, are left out.
  const choices = CHOICES.filter((name) =>
    shown?.some((unit) => !['', name === 'lotNumber' && unit.name].includes(unitText(unit, name))),
  );

  function toggle(name: string): void {
    const next = CHOICES.filter((each) => columns.has(each) !== (each === name));
    change({ columns: next.length === 0 ? ',' : next.join(',') }, { replace: true });
  }

  return (
    <div className="price-list">
      <div className="price-list-tools screen-only">
        <Button look="filled" onClick={() => print()}>
          {texts.print}
        </Button>
        <DownloadLink url={`${API_URL}/stock/projects/${project.id}/price-list.csv`}>
          {texts.download}
        </DownloadLink>
        {can('projects:write') && <SendList projectId={project.id} />}
        <CheckField
          label={texts.availableOnly}
          checked={isAvailableOnly}
          onChange={({ target }) =>
            change({ available: target.checked ? 'only' : null }, { replace: true })
          }
        />
        <details className="price-list-columns">
          <summary>{texts.columns}</summary>
          {choices.map((name) => (
            <CheckField
              key={name}
              label={stockTexts.fields[name] ?? name}
              checked={columns.has(name)}
              onChange={() => toggle(name)}
            />
          ))}
        </details>
      </div>
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      {units === undefined && error === null && <Skeleton lines={8} />}
      {shown?.length === 0 && <Empty>{texts.empty}</Empty>}
      {shown !== undefined && shown.length > 0 && (
        <Sheet
          project={project}
          units={shown}
          columns={choices.filter((name) => columns.has(name))}
          at={new Date(dataUpdatedAt)}
        />
      )}
    </div>
  );
}

interface SheetProps {
  project: Project;
  units: readonly Unit[];
  columns: readonly (keyof Unit)[];
  /** When the units were read. */
  at: Date;
}

/** The printable list. */
function Sheet({ project, units, columns, at }: SheetProps) {
  const { data: organization } = useQuery({
    queryKey: ['organization', 'one'],
    queryFn: async () => (await api.GET('/organization')).data,
  });
  const logo = organization?.logoImage;
  return (
    <article className="sheet">
      <header className="sheet-head">
        {logo != null && <Picture picture={{ ...logo, alt: '' }} className="sheet-logo" />}
        <div>
          <p className="sheet-name">{organization?.displayName}</p>
          <p>
            {[project.addressLine1, project.suburbName, project.cityName]
              .filter(Boolean)
              .join(', ')}
          </p>
        </div>
        <p className="sheet-time">{texts.made(formatTime(at))}</p>
      </header>
      <div className="sheet-scroll">
        <table className="sheet-table">
          <caption className="hidden-text">{texts.list}</caption>
          <thead>
            <tr>
              <th scope="col">{stockTexts.fields['name']}</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {stockTexts.fields[name] ?? name}
                </th>
              ))}
              <th scope="col" className="sheet-price">
                {stockTexts.fields['price']}
              </th>
            </tr>
          </thead>
          <tbody>
            {units.map((unit) => (
              <tr key={unit.id}>
                <th scope="row">{unit.name}</th>
                {columns.map((name) => (
                  <td
                    key={name}
                    className={TYPED.has(name) ? 'sheet-text' : undefined}
                    data-title={findTitle(unit, name)}
                  >
                    {name === 'status' ? (
                      <UnitStatus status={unit.status ?? ''} />
                    ) : (
                      unitText(unit, name)
                    )}
                  </td>
                ))}
                <td className="sheet-text sheet-price">{formatPrice(unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </article>
  );
}

/** Returns the title of a value on a phone, which a status and a lot such as "Lot 12" do not need. */
function findTitle(unit: Unit, name: keyof Unit): string | undefined {
  const title = stockTexts.fields[name] ?? name;
  return name === 'status' || unitText(unit, name).startsWith(title) ? undefined : title;
}

/** The form that accepts an edited price list, and shows what it would change. */
function SendList({ projectId }: { projectId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [read, setRead] = useState<{ list: Blob; plan: ListPlan }>();

  const compare = async (list: Blob): Promise<void> =>
    setRead({ list, plan: await planList(projectId, list) });

  async function choose(file: File): Promise<void> {
    try {
      // Read the bytes once, because a spreadsheet program may save the file again before the person agrees.
      await compare(new Blob([await file.arrayBuffer()]));
    } catch (error) {
      showToast({ text: describeProblem(error), look: 'error' });
    }
  }

  return (
    <>
      <Button icon="upload" title={texts.explainSend} onClick={() => input.current?.click()}>
        {texts.send}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,.tsv,text/csv"
        aria-label={texts.send}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void choose(file);
          target.value = '';
        }}
      />
      {read !== undefined && (
        <Dialog title={texts.send} shape="wide" onClose={() => setRead(undefined)}>
          <ListPreview
            plan={read.plan}
            onReload={() => compare(read.list)}
            onDone={() => setRead(undefined)}
          />
        </Dialog>
      )}
    </>
  );
}
