/** What all charts share: colors of the page, and the width of their place. */
import type UPlot from 'uplot';

export interface ThemedAxes {
  readonly axis: UPlot.Axis;
  readonly timeAxis: UPlot.Axis;
  /** Value of a custom property. */
  readonly color: (name: string) => string;
}

export function themedAxes(parent: HTMLElement): ThemedAxes {
  const color = (name: string): string => getComputedStyle(parent).getPropertyValue(name).trim();
  const axis = { stroke: () => color('--text-soft'), grid: { stroke: () => color('--line'), width: 1 } };
  return { axis, timeAxis: { ...axis, values: sayTicks }, color };
}

const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const MINUTE = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
const SECOND = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hour12: false });

/** Times of 24 hours, as everywhere in the console; the day where it begins. */
function sayTicks(_: UPlot, ticks: readonly number[], __: number, ___: number, step: number): string[] {
  let shown = '';
  return ticks.map((seconds) => {
    const time = new Date(seconds * 1000);
    const day = DAY.format(time);
    if (step >= 86_400) return day;
    const clock = (step >= 60 ? MINUTE : SECOND).format(time);
    const said = day === shown ? clock : `${clock}\n${day}`;
    shown = day;
    return said;
  });
}

/** Redraws a chart for another width and another theme. @returns what removes the chart */
export function watchChart(parent: HTMLElement, chart: UPlot, height: number): () => void {
  const observer = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height }));
  observer.observe(parent);
  // Colors are read when it is drawn.
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const recolor = (): void => chart.redraw(true, true);
  dark.addEventListener('change', recolor);
  return () => {
    dark.removeEventListener('change', recolor);
    observer.disconnect();
    chart.destroy();
  };
}
