import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formatNumber } from '../../parts/text/format.ts';
import './bar-chart.css';

export interface Bar {
  id: string;
  label: ReactNode;
  value: number;
  /** The text beside the bar; the value by default. */
  figure?: string;
  /** The address of the list behind the figure. */
  to?: string | undefined;
  colour?: string | undefined;
}

/** A list of bars with their figures. The longest bar fills the width. */
export function BarChart({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <div className="bar-chart-box">
      <ul className="bar-chart" aria-label={label}>
        {bars.map(({ id, label: name, value, figure = formatNumber(value), to, colour }) => (
          <li key={id}>
            <span className="bar-chart-label">{name}</span>
            <span className="bar-chart-track" aria-hidden="true">
              <span
                className="bar-chart-bar"
                style={{ width: `${(100 * value) / longest}%`, background: colour }}
              />
            </span>
            {to === undefined ? <span>{figure}</span> : <Link href={to}>{figure}</Link>}
          </li>
        ))}
      </ul>
    </div>
  );
}
