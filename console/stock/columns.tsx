import type { Unit } from '../api.ts';
import { Icon } from '../parts/button/icon.tsx';
import { HELD_STATUSES, UnitStatus } from '../parts/domain/status.tsx';
import type { Column } from '../parts/grid/index.ts';
import { formatAgo, formatMoney, formatNumber } from '../parts/text/format.ts';
import CellEditor from './cell-editors.tsx';
import { formatPrice, hidesPrice } from './price.ts';
import { stockTexts } from './stock-texts.ts';
import { texts } from './texts.ts';
import { UNIT_FIELDS, type UnitField } from './unit-fields.ts';
import { unsavedText, type UnsavedChange, type UnsavedChanges } from './use-unsaved-changes.ts';
import type { Rights } from './use-rights.ts';
import type { ChangeUnit } from './use-unit-changes.tsx';

const WIDTHS: Partial<Record<keyof Unit, number>> = {
  name: 180,
  status: 160,
  price: 180,
  unitType: 120,
  aspect: 110,
  priceDisplay: 180,
  internalAreaSqm: 96,
  externalAreaSqm: 104,
};
const HIDDEN = new Set<keyof Unit>(['priceDisplay', 'currency', 'landAreaSqm']);
const SORTED = new Set<keyof Unit>(['name', 'price']);

/** Returns whether a person with these rights may set the status of a unit. */
export const canSetStatus = ({ status }: Unit, rights: Rights): boolean =>
  rights === 'all' || (rights === 'hold' && status !== undefined && HELD_STATUSES.includes(status));

interface ColumnOptions {
  rights: Rights;
  changeUnit: ChangeUnit;
  unsaved: UnsavedChanges;
  /** Finds the name of a project; null in the list of one project. */
  projectName: ((id: string) => string) | null;
}

/** Makes the columns of the units. */
export function makeColumns(options: ColumnOptions): Column<Unit>[] {
  const { projectName } = options;
  const [name, ...others] = UNIT_FIELDS.map((field) => makeColumn(field, options));
  const project: Column<Unit>[] =
    projectName === null
      ? []
      : [
          {
            id: 'projectId',
            title: texts.project,
            width: 160,
            sort: 'project',
            cell: ({ projectId }) => <span className="grid-title">{projectName(projectId)}</span>,
          },
        ];
  const changed: Column<Unit> = {
    id: 'updatedAt',
    title: stockTexts.fields['updatedAt'] ?? '',
    width: 130,
    sort: 'updatedAt',
    cell: ({ updatedAt }) => formatAgo(updatedAt),
  };
  return name === undefined ? [] : [name, ...project, ...others, changed];
}

function makeColumn(field: UnitField, options: ColumnOptions): Column<Unit> {
  const { rights, changeUnit, unsaved } = options;
  const { name, kind } = field;
  const isStatus = kind === 'status';
  const canEdit = isStatus ? rights !== 'none' : rights === 'all';
  return {
    id: name,
    title: stockTexts.fields[name] ?? name,
    width: WIDTHS[name] ?? 90,
    ...(SORTED.has(name) && { sort: name }),
    ...((kind === 'number' || kind === 'price') && { align: 'end' as const }),
    ...(name === 'name' && { isName: true, address: ({ id }: Unit) => `/stock?unit=${id}` }),
    ...(HIDDEN.has(name) && { isHidden: true }),
    cell: (unit) => (
      <>
        <NotSaved unsavedChange={unsaved.find(unit, name)} name={name} />
        <Cell unit={unit} field={field} />
      </>
    ),
    ...(canEdit && {
      editor: (unit: Unit, close: (move?: 'down') => void) => (
        <CellEditor
          unit={unit}
          field={field}
          close={close}
          onChange={changeUnit}
          unsaved={unsaved}
          rights={rights}
        />
      ),
      canEdit: (unit: Unit) => (isStatus ? canSetStatus(unit, rights) : true),
    }),
  };
}

/** Marks a cell whose last change was not saved. */
function NotSaved({
  unsavedChange,
  name,
}: {
  unsavedChange: UnsavedChange | undefined;
  name: keyof Unit;
}) {
  if (unsavedChange === undefined) return null;
  const text = texts.notSavedValue(unsavedText(unsavedChange, name), unsavedChange.message);
  return (
    <span className="cell-not-saved" title={text}>
      <Icon name="warning" />
      <span className="hidden-text">{text}</span>
    </span>
  );
}

function Cell({ unit, field: { name, kind } }: { unit: Unit; field: UnitField }) {
  const value = unit[name];
  if (kind === 'status') return <UnitStatus status={unit.status ?? ''} />;
  if (kind === 'price') {
    const shown = formatPrice(unit);
    const own = hidesPrice(unit)
      ? formatMoney(unit.price ?? 0, unit.currency ?? undefined)
      : undefined;
    return (
      <span className={unit.price == null ? 'soft grid-title' : 'grid-title'} title={own}>
        {shown}
      </span>
    );
  }
  if (typeof value === 'number' && kind === 'number') return formatNumber(value);
  if (typeof value === 'string' || typeof value === 'number')
    return <span className="grid-title">{value}</span>;
  return null;
}

/** Makes the two lines of a unit on a phone. */
export function makePhoneRow(projectName: ((id: string) => string) | null) {
  return function PhoneRow(unit: Unit) {
    const facts = [
      unit.bedrooms == null ? undefined : texts.beds(unit.bedrooms),
      projectName?.(unit.projectId),
    ].filter(Boolean);
    return (
      <>
        <span className="phone-line">
          <strong>{unit.name}</strong> <span className="phone-price">· {formatPrice(unit)}</span>
        </span>
        <span className="phone-line phone-facts">
          <UnitStatus status={unit.status ?? ''} />
          {facts.map((fact) => (
            <span key={fact}>· {fact}</span>
          ))}
        </span>
      </>
    );
  };
}
