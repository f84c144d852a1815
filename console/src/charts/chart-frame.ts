/** What all charts share: colors of the page, and the width of their place. */
import type UPlot from 'uplot';

export interface ThemedAxes {
  readonly axis: UPlot.Axis;
  readonly timeAxis: UPlot.Axis;
  /** Value of a custom property. */
  readonly color: (name: string) => string;
}

/** @param zone UTC for times without a zone, which are shown as they are; undefined: that of the reader */
export function themedAxes(parent: HTMLElement, zone?: 'UTC'): ThemedAxes {
  const color = (name: string): string => getComputedStyle(parent).getPropertyValue(name).trim();
  const axis = { stroke: () => color('--text-soft'), grid: { stroke: () => color('--line'), width: 1 } };
  return { axis, timeAxis: { ...axis, space: TICK_PIXELS, values: tickTexts(zone) }, color };
}

/** A time with seconds, in wide fonts too. */
const TICK_PIXELS = 75;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Times of 24 hours, as everywhere in the console; the day where it begins. */
function tickTexts(timeZone: 'UTC' | undefined): UPlot.Axis.DynamicValues {
  const days = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone });
  const minutes = new Intl.DateTimeFormat(undefined, { ...CLOCK, timeZone });
  const seconds = new Intl.DateTimeFormat(undefined, { ...CLOCK, second: '2-digit', timeZone });
  return (_, ticks, __, ___, step) => {
    let shown = '';
    let shownClock = '';
    return ticks.map((tick) => {
      const time = new Date(tick * 1000);
      const day = days.format(time);
      if (step >= 86_400) return day;
      const clock = (step >= 60 ? minutes : seconds).format(time);
      // Steps below a second have the same text.
      if (step < 1 && clock === shownClock) return '';
      shownClock = clock;
      const said = day === shown ? clock : `${clock}\n${day}`;
      shown = day;
      return said;
    });
  };
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
