/** A result over time. */
import { type ReactNode, useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { formatNumber, formatTime } from '../results/values/format-value';
import { themedAxes, watchChart } from './chart-frame';
import type { Series } from './read-series';

const HEIGHT_PIXELS = 280;
/**
 * In the legend, while the pointer is not over the chart. A cell without text would make its name the head of a column.
 */
const NOTHING = '–';

export function ResultChart({ series }: { readonly series: Series }): ReactNode {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return undefined;
    return watchChart(parent, draw(parent, series), HEIGHT_PIXELS);
  }, [series]);

  const names = series.lines.map(({ name }) => name).join(', ');
  const { hiddenLines } = series;
  return (
    <>
      <div className="chart" ref={place} role="img" aria-label={`${names} over time; the table has the values`} />
      {hiddenLines > 0 && (
        <p className="soft">
          {series.lines.length} of {series.lines.length + hiddenLines} lines; the table has all values.
        </p>
      )}
    </>
  );
}

function draw(parent: HTMLElement, { times, timeType, lines }: Series): UPlot {
  const isZoned = timeType === 'TIMESTAMP';
  const { axis, timeAxis, color } = themedAxes(parent, isZoned ? undefined : 'UTC');
  const options: UPlot.Options = {
    width: parent.clientWidth,
    height: HEIGHT_PIXELS,
    ...(!isZoned && { tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    axes: [timeAxis, { ...axis, size: 70, values: (_, ticks) => ticks.map(formatNumber) }],
    scales: { y: { range: (_, low, high) => [Math.min(0, low), high === low ? high + 1 : high] } },
    series: [
      { value: (_, seconds) => (seconds === null ? NOTHING : formatAt(seconds * 1000, timeType)) },
      ...lines.map(({ name, values }, at) => ({
        label: name,
        value: (_: UPlot, number: number | null) => (number === null ? NOTHING : formatNumber(number)),
        stroke: () => color(`--series-${at + 1}`),
        width: 2,
        // A value between two gaps has no line.
        points: { show: times.length < 60 || values.includes(null) },
      })),
    ],
  };
  const data: UPlot.AlignedData = [[...times], ...lines.map(({ values }) => [...values])];
  return new UPlot(options, data, parent);
}

/** As the table has it. */
function formatAt(millis: number, type: string): string {
  if (type === 'TIMESTAMP') return formatTime(millis);
  const text = new Date(millis).toISOString();
  return type === 'DATE' ? text.slice(0, 10) : text.replace(/(?:\.000)?Z$/, '');
}
