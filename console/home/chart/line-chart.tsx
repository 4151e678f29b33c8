import { useId } from 'react';
import { formatNumber } from '../../parts/text/format.ts';
import './line-chart.css';

export interface Point {
  /** The label under the axis, and in the table. */
  label: string;
  value: number;
}

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 56;
const RIGHT = 16;
const TOP = 20;
const BOTTOM = 36;
const LABELS_MAX_COUNT = 4;

/**
 * A line chart over time. Its axis begins at 0. The last period is not over, so its line is dashed. A screen reader reads the
 * summary; `FigureTable` has all values.
 */
export function LineChart({ summary, points }: { summary: string; points: readonly Point[] }) {
  const titleId = useId();
  const top = chooseTop(Math.max(1, ...points.map(({ value }) => value)));
  const x = (index: number): number =>
    LEFT + (index * (WIDTH - LEFT - RIGHT)) / Math.max(1, points.length - 1);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const corners = points.map(({ value }, index) => `${x(index)},${y(value)}`);
  const last = points.length - 1;
  const step = Math.ceil(points.length / LABELS_MAX_COUNT);
  return (
    <div className="line-chart-box">
      <svg
        className="line-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={titleId}
      >
        <title id={titleId}>{summary}</title>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line
              className="line-chart-line"
              x1={LEFT}
              x2={WIDTH - RIGHT}
              y1={y(value)}
              y2={y(value)}
            />
            <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        <polygon
          className="line-chart-area"
          points={`${x(0)},${y(0)} ${corners.join(' ')} ${x(last)},${y(0)}`}
        />
        <polyline className="line-chart-curve" points={corners.slice(0, last).join(' ')} />
        <polyline
          className="line-chart-curve line-chart-open"
          points={corners.slice(-2).join(' ')}
        />
        {points.map(
          ({ label }, index) =>
            // The last point always has a label, and none stands close to it.
            (index === last || (index % step === 0 && index + step <= last)) && (
              <text
                key={label}
                x={x(index)}
                y={HEIGHT - 8}
                textAnchor={index === 0 ? 'start' : index === last ? 'end' : 'middle'}
              >
                {label}
              </text>
            ),
        )}
      </svg>
    </div>
  );
}

/** Chooses the upper end of the axis: an even number that is 1, 2 or 5 times a power of ten, and not below the highest value. */
function chooseTop(highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const factor of [2, 4, 10]) if (factor * power >= highest) return factor * power;
}
