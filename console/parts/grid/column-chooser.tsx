import { useState } from 'react';
import './column-chooser.css';
import { applyLayout, setWidth, useColumnLayout, type LayoutColumn } from './columns.ts';
import { texts } from './texts.ts';
import type { ColumnLayout } from './types.ts';

interface ChooserProps {
  columns: readonly LayoutColumn[];
  /** The same value as the grid's property. */
  columnsKey: string;
  usualColumns?: ColumnLayout | null | undefined;
}

/** The panel in which a person shows, orders and sizes the columns of a grid, also by keyboard. */
export default function ColumnChooser({ columns, columnsKey, usualColumns }: ChooserProps) {
  const { layout, setLayout } = useColumnLayout(columnsKey, columns, usualColumns);
  const shown = applyLayout(columns, layout);
  const hidden = columns.filter(({ id }) => shown.every((each) => each.id !== id));
  const fields: ColumnLayout = shown.map(({ id, width }) => ({ field: id, width }));
  const move = (index: number, by: number) => {
    const moved = [...fields];
    moved.splice(index + by, 0, ...moved.splice(index, 1));
    setLayout(moved);
  };
  return (
    <div className="column-chooser">
      <ul className="column-chooser-list">
        {shown.map(({ id, title, width, isName }, index) => (
          <li key={id} className="column-chooser-item">
            <label className="column-chooser-name">
              <input
                type="checkbox"
                checked
                disabled={isName}
                onChange={() => setLayout(fields.filter(({ field }) => field !== id))}
              />
              {title}
            </label>
            <button
              type="button"
              className="column-chooser-move"
              aria-label={texts.moveEarlier(title)}
              disabled={index < 2}
              onClick={() => move(index, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              className="column-chooser-move"
              aria-label={texts.moveLater(title)}
              disabled={index === 0 || index === shown.length - 1}
              onClick={() => move(index, 1)}
            >
              ↓
            </button>
            <WidthField
              label={texts.columnWidth(title)}
              width={width}
              onChange={(wanted) => setLayout(setWidth(fields, id, wanted))}
            />
          </li>
        ))}
        {hidden.map(({ id, title }) => (
          <li key={id} className="column-chooser-item">
            <label className="column-chooser-name">
              <input
                type="checkbox"
                checked={false}
                onChange={() => setLayout([...fields, { field: id }])}
              />
              {title}
            </label>
          </li>
        ))}
      </ul>
      <button type="button" className="column-chooser-reset" onClick={() => setLayout(null)}>
        {texts.resetColumns}
      </button>
    </div>
  );
}

/** The field of a column's width. It keeps a typed text until the person leaves it: the first digit of 200 is no width yet. */
function WidthField({
  label,
  width,
  onChange,
}: {
  label: string;
  width: number;
  onChange: (width: number) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type="number"
      className="column-chooser-width"
      aria-label={label}
      min={64}
      max={800}
      step={8}
      value={typed ?? width}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.valueAsNumber >= 64) onChange(target.valueAsNumber);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
