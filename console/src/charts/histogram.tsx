/** Events over time by level, as bars that stand on each other. A dragged range becomes the time range. */
import { type ReactNode, useEffect, useRef } from 'react';
import UPlot from 'uplot';
import type { TimeCounts } from './count-over-time';
import { themedAxes, watchChart } from './chart-frame';

const HEIGHT_PIXELS = 110;
const COLORS: Readonly<Record<string, string>> = {
  critical: '--series-6',
  error: '--bad',
  warning: '--warn',
  info: '--good',
  debug: '--series-7',
  trace: '--series-5',
  other: '--series-8',
};

interface HistogramProps {
  readonly counts: TimeCounts;
  /** Absent: the time range cannot be changed from here. */
  readonly onRange?: (fromMs: number, toMs: number) => void;
}

export function Histogram({ counts, onRange }: HistogramProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return undefined;
    return watchChart(parent, draw(parent, counts, onRange ?? null), HEIGHT_PIXELS);
  }, [counts, onRange]);

  const said = [...counts.levels].map(([level, values]) => `${level} ${sum(values).toLocaleString()}`).join(', ');
  return (
    <div className="chart histogram">
      <div ref={place} role="img" aria-label={`Events over time: ${said}`} />
      <ul className="legend" aria-hidden>
        {[...counts.levels].reverse().map(([level, values]) => (
          <li key={level} className={level}>
            {level} {sum(values).toLocaleString()}
          </li>
        ))}
      </ul>
    </div>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function draw(
  parent: HTMLElement,
  { times, levels, bucketSeconds }: TimeCounts,
  onSelect: ((fromMs: number, toMs: number) => void) | null
): UPlot {
  const { axis, timeAxis, color } = themedAxes(parent);
  const heights = new Array<number>(times.length).fill(0);
  const stacked = [...levels].map(([level, values]) => ({
    level,
    values: values.map((value, at) => (heights[at] = heights[at]! + value)),
  }));
  // The tallest is drawn first, so that those below stay visible.
  stacked.reverse();
  const bars = UPlot.paths.bars?.({ size: [0.9, 60], align: 1 });
  const options: UPlot.Options = {
    width: parent.clientWidth,
    height: HEIGHT_PIXELS,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: onSelect !== null, y: false, setScale: false } },
    select: { show: onSelect !== null, left: 0, top: 0, width: 0, height: 0 },
    axes: [
      timeAxis,
      {
        ...axis,
        size: 60,
        splits: (_, __, ___, max) => [0, max],
        values: (_, ticks) => ticks.map((tick) => Math.round(tick).toLocaleString()),
      },
    ],
    scales: {
      // Given as times, since UPlot widens a range of one time to years.
      x: { range: () => [times[0] ?? 0, (times.at(-1) ?? 0) + bucketSeconds] },
      y: { range: (_, __, high) => [0, Math.max(1, high)] },
    },
    series: [
      {},
      ...stacked.map(({ level }) => ({
        label: level,
        fill: () => color(COLORS[level] ?? '--series-8'),
        stroke: () => color(COLORS[level] ?? '--series-8'),
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars }),
      })),
    ],
    hooks: {
      setSelect: [
        (chart) => {
          const { left, width } = chart.select;
          if (onSelect === null || width < 3) return;
          const [from, to] = [chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')];
          const start = Math.floor(from / bucketSeconds) * bucketSeconds;
          onSelect(start * 1000, Math.max(start + bucketSeconds, Math.ceil(to / bucketSeconds) * bucketSeconds) * 1000);
        },
      ],
    },
  };
  const data: UPlot.AlignedData = [[...times], ...stacked.map(({ values }) => values)];
  return new UPlot(options, data, parent);
}
