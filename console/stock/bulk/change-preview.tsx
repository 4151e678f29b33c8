import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Unit } from '../../api.ts';
import { Button } from '../../parts/button/button.tsx';
import { describeProblem } from '../../parts/text/problem-texts.ts';
import { Notice } from '../../parts/message/notice.tsx';
import { showToast } from '../../parts/message/toast.tsx';
import { describeUnitValue } from '../describe.ts';
import { formatPrice } from '../price.ts';
import { stockTexts } from '../stock-texts.ts';
import { sumUnits } from '../sums.ts';
import { applyChanges, planUndo, type PlannedChange, type Stale } from './batch.ts';
import { texts } from './preview-texts.ts';
import './bulk.css';

interface PreviewProps {
  planned: readonly PlannedChange[];
  /** The number of units that would not change. */
  unchanged: number;
  /** Previews the same change again. */
  onReload: () => Promise<void>;
  onBack?: () => void;
  /** Called after the change, and after its Undo, to show them in a list. */
  onStored?: () => void;
  onDone: () => void;
}

/** Shows what would change, and stores exactly that or nothing. When units have changed since, it shows both values. */
export function ChangePreview({
  planned,
  unchanged,
  onReload,
  onBack,
  onStored,
  onDone,
}: PreviewProps) {
  const queries = useQueryClient();
  const [stale, setStale] = useState<readonly Stale[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const isStale = new Set(stale.map((each) => each.planned));
  const others = planned.filter((each) => !isStale.has(each));

  function showStored(): void {
    onStored?.();
    void queries.invalidateQueries({ queryKey: ['unit'] });
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setMessage('');
    try {
      await work();
    } catch (error) {
      setMessage(describeProblem(error));
    } finally {
      setBusy(false);
    }
  }

  async function apply(): Promise<void> {
    const outcome = await applyChanges(others);
    if (!outcome.isStored) return setStale(outcome.stale);
    showStored();
    const undo = planUndo(others, outcome.rows);
    showToast({ text: texts.applied(others.length), onUndo: () => void takeBack(undo) });
    onDone();
  }

  /** Undoes stored changes, except those of units that somebody has changed or deleted since. */
  async function takeBack(changes: readonly PlannedChange[], keptCount = 0): Promise<void> {
    try {
      const outcome = await applyChanges(changes);
      if (!outcome.isStored) {
        const kept = new Set(outcome.stale.map((each) => each.planned));
        const left = changes.filter((each) => !kept.has(each));
        return await takeBack(left, keptCount + kept.size);
      }
      const undone = texts.undone(changes.length);
      const kept = texts.changed(keptCount, changes.length + keptCount);
      showToast({ text: keptCount === 0 ? undone : `${undone}. ${kept}.` });
    } catch (error) {
      showToast({ text: describeProblem(error), look: 'error' });
    }
    showStored();
  }

  const withdrawn = planned.filter(({ set }) => set.status === 'Withdrawn').length;
  if (planned.length === 0)
    return (
      <>
        <p>{texts.nothing}</p>
        <div className="form-buttons">
          {onBack !== undefined && <Button onClick={onBack}>{texts.back}</Button>}
        </div>
      </>
    );
  return (
    <>
      {stale.length > 0 ? (
        <StaleNotice stale={stale} all={planned.length} />
      ) : (
        <>
          <PlannedTable planned={planned} />
          <Totals planned={planned} />
          {unchanged > 0 && <p className="soft">{texts.others(unchanged)}</p>}
          {withdrawn > 0 && <Notice look="warning">{texts.withdraws(withdrawn)}</Notice>}
        </>
      )}
      {message !== '' && <Notice look="error">{message}</Notice>}
      <div className="form-buttons bulk-buttons">
        {stale.length > 0 ? (
          <Button onClick={() => void attempt(onReload)}>{texts.reload}</Button>
        ) : (
          onBack !== undefined && <Button onClick={onBack}>{texts.back}</Button>
        )}
        {others.length > 0 && (
          <Button look="filled" isBusy={isBusy} onClick={() => void attempt(apply)}>
            {stale.length > 0 ? texts.applyOthers(others.length) : texts.apply(planned.length)}
          </Button>
        )}
      </div>
    </>
  );
}

/** Shows the values of the fields that a change sets. */
const showValues = (unit: Unit, set: object): string =>
  'price' in set
    ? formatPrice(unit)
    : (Object.keys(set) as (keyof Unit)[])
        .map((name) => describeUnitValue(name, unit[name], unit))
        .join(', ');

function PlannedTable({ planned }: { planned: readonly PlannedChange[] }) {
  return (
    <div className="bulk-frame">
      <table className="bulk-table" aria-label={texts.previewTable}>
        <thead>
          <tr>
            <th scope="col">{texts.unit}</th>
            <th scope="col">{texts.field}</th>
            <th scope="col" className="bulk-end">
              {texts.now}
            </th>
            <th scope="col" className="bulk-end">
              {texts.new}
            </th>
          </tr>
        </thead>
        <tbody>
          {planned.flatMap(({ unit, set }) =>
            (Object.keys(set) as (keyof Unit)[]).map((name) => (
              <tr key={`${unit.id} ${name}`}>
                <th scope="row">{unit.name}</th>
                <td>{stockTexts.fields[name] ?? name}</td>
                <td className="bulk-end soft">{describeUnitValue(name, unit[name], unit)}</td>
                <td className="bulk-end">{describeUnitValue(name, set[name], unit)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}

function Totals({ planned }: { planned: readonly PlannedChange[] }) {
  const priced = planned.filter(({ set }) => set.price !== undefined);
  if (priced.length === 0) return null;
  const before = sumUnits(priced.map(({ unit }) => unit)).value;
  const after = sumUnits(priced.map(({ unit, set }) => ({ ...unit, ...set }))).value;
  return <p>{texts.total(before, after)}</p>;
}

function StaleNotice({ stale, all }: { stale: readonly Stale[]; all: number }) {
  return (
    <Notice look="error" title={texts.changed(stale.length, all)}>
      <p>{texts.changedExplain}</p>
      <table className="bulk-table">
        <thead>
          <tr>
            <th scope="col">{texts.unit}</th>
            <th scope="col" className="bulk-end">
              {texts.now}
            </th>
            <th scope="col" className="bulk-end">
              {texts.yours}
            </th>
          </tr>
        </thead>
        <tbody>
          {stale.map(({ planned: { unit, set }, current }) => (
            <tr key={unit.id}>
              <th scope="row">{unit.name}</th>
              <td className="bulk-end">
                {current === null ? texts.deleted : showValues(current, set)}
              </td>
              <td className="bulk-end">{showValues({ ...unit, ...set }, set)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Notice>
  );
}
