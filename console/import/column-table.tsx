import { useMemo } from 'react';
import type { ContactFile } from '../api.ts';
import { FieldSelect } from './field-select.tsx';
import { findField, isOfReport, type Column, type Plan } from './plan.ts';
import { nameField, texts } from './texts.ts';

/** Fields that combine the values of all their columns. Any other field takes the first filled value. */
const COMBINED = new Set<Column['field']>(['tags', 'tag', 'noEmail', 'noCalls']);
const SHORTENED = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i;

/** The table of a file's columns, each with samples and the field that it becomes. Unrecognized columns come first. */
export function ColumnTable({
  file: { columns, format },
  plan,
  change,
}: {
  file: ContactFile;
  plan: Plan;
  change: (changes: Partial<Plan>) => void;
}) {
  const sorted = useMemo(
    () => sortColumns(columns.filter((column) => !isOfReport(column))),
    [columns],
  );
  const shared = describeShared(columns, plan);
  return (
    <>
      {shared.map((text) => (
        <p key={text} className="soft">
          {text}
        </p>
      ))}
      <table className="import-columns">
        <thead>
          <tr>
            <th scope="col">{texts.columns.header}</th>
            <th scope="col">{texts.columns.samples}</th>
            <th scope="col">{texts.columns.field}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ column, at, isTwin }) => {
            const field = findField(column, plan);
            return (
              <tr key={at} className={field === null ? 'import-column-out' : undefined}>
                <th scope="row">{column.header || texts.columns.noHeader}</th>
                <td>
                  <Samples column={column} />
                </td>
                <td>
                  {format === 'ndjson' || isTwin ? (
                    ((field && nameField(field)) ?? texts.columns.leaveOut)
                  ) : (
                    <FieldSelect
                      label={texts.columns.fieldOf(column.header || texts.columns.noHeader)}
                      field={field}
                      onChange={(next) =>
                        change({ mapping: mapColumn(plan.mapping, column, next) })
                      }
                    />
                  )}
                  {isTwin && <p className="soft">{texts.columns.sameHeader}</p>}
                  {isPhone(field) && column.samples.some((text) => SHORTENED.test(text.trim())) && (
                    <p className="import-warning">{texts.columns.shortPhone}</p>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function Samples({ column: { samples } }: { column: Column }) {
  if (samples.length === 0) return <span className="soft">{texts.columns.noSamples}</span>;
  return (
    <ul className="import-samples">
      {samples.map((sample) => (
        <li key={sample}>{sample}</li>
      ))}
    </ul>
  );
}

interface PlacedColumn {
  column: Column;
  at: number;
  /** Whether an earlier column has the same header. A mapping is by header, so it would apply to the earlier column. */
  isTwin: boolean;
}

/** Sorts the columns: unrecognized ones with values first, empty ones last. */
function sortColumns(columns: readonly Column[]): PlacedColumn[] {
  const rank = ({ field, samples }: Column) => (samples.length === 0 ? 2 : field === null ? 0 : 1);
  return columns
    .map((column, at) => ({
      column,
      at,
      isTwin: columns.findIndex(({ header }) => header === column.header) < at,
    }))
    .toSorted((a, b) => rank(a.column) - rank(b.column) || a.at - b.at);
}

/** Maps a column to a field. A column that gets back its recognized field leaves the mapping. */
function mapColumn(mapping: Plan['mapping'], { header, field }: Column, next: Column['field']) {
  const { [header]: _before, ...others } = mapping;
  return next === field ? others : { ...others, [header]: next };
}

const isPhone = (field: Column['field']): boolean => field === 'phone' || field === 'mobilePhone';

/** Describes which columns become the same field. */
function describeShared(columns: readonly Column[], plan: Plan): string[] {
  const filled = columns.filter(({ samples }) => samples.length > 0);
  const byField = Map.groupBy(filled, (column) => findField(column, plan));
  return [...byField].flatMap(([field, group]) => {
    if (field === null || group.length === 1) return [];
    const headers = group.map(({ header }) => header);
    const describe = COMBINED.has(field) ? texts.columns.combined : texts.columns.shared;
    return describe(nameField(field).toLowerCase(), headers);
  });
}
