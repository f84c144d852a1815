/** A result over time. */
import { type ReactNode, useEffect, useRef } from 'react';
import UPlot from 'uplot';
import type { Series } from './read-series';

const HEIGHT_PIXELS = 280;

export function ResultChart({ series }: { readonly series: Series }): ReactNode {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return undefined;
    const chart = draw(parent, series);
    const observer = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height: HEIGHT_PIXELS }));
    observer.observe(parent);
    // Colors are read once: another theme needs another chart.
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const recolor = (): void => chart.redraw(true, true);
    dark.addEventListener('change', recolor);
    return () => {
      dark.removeEventListener('change', recolor);
      observer.disconnect();
      chart.destroy();
    };
  }, [series]);

  const names = series.lines.map(({ name }) => name).join(', ');
  return <div className="chart" ref={place} role="img" aria-label={`${names} over time; the table has the values`} />;
}

function draw(parent: HTMLElement, { times, lines }: Series): UPlot {
  const color = (name: string): string => getComputedStyle(parent).getPropertyValue(name).trim();
  const axis = { stroke: () => color('--text-soft'), grid: { stroke: () => color('--line'), width: 1 } };
  const options: UPlot.Options = {
    width: parent.clientWidth,
    height: HEIGHT_PIXELS,
    axes: [{ ...axis }, { ...axis, size: 70, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString()) }],
    scales: { y: { range: (_, low, high) => [Math.min(0, low), high === low ? high + 1 : high] } },
    series: [
      {},
      ...lines.map(({ name }, at) => ({
        label: name,
        stroke: () => color(`--series-${at + 1}`),
        width: 2,
        points: { show: times.length < 60 },
      })),
    ],
  };
  return new UPlot(options, [[...times], ...lines.map(({ values }) => [...values])] as UPlot.AlignedData, parent);
}
