/**
 * A chart of curves as SVG: both axes are logarithmic, names stand at the ends of lines, colors fit light and dark
 * pages.
 */

export interface Curve {
  readonly name: string;
  /** In the order of x; both above 0. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface ChartTexts {
  readonly title: string;
  readonly x: (value: number) => string;
  readonly y: (value: number) => string;
}

const WIDTH = 860;
const HEIGHT = 460;
const PLOT = { left: 64, top: 44, right: 600, bottom: 416 };
const LINE_HEIGHT = 15;
/** Okabe and Ito's colors, which people with any color vision tell apart; yellow is left out on light pages. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00'];
const DASHES = ['', '6 3'];

export function drawChart(curves: readonly Curve[], texts: ChartTexts): string {
  const points = curves.flatMap((curve) => curve.points);
  const x = scale(range(points.map((point) => point.x)), [PLOT.left, PLOT.right]);
  const y = scale(wholeDecades(range(points.map((point) => point.y))), [PLOT.bottom, PLOT.top]);
  const names = spread(curves.map(({ points: own }) => y.place(own.at(-1)!.y)));
  const lines = [
    ...ticks(y.range).map((value) => yTick(y.place(value), texts.y(value))),
    ...[...new Set(points.map((point) => point.x))].map((value) => xTick(x.place(value), texts.x(value))),
    ...curves.map((curve, index) => drawCurve(curve, index, { x, y }, names[index]!)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(texts.title)}">
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f }
.grid { stroke: #d0d7de }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .grid { stroke: #3d444d } }
</style>
<text x="${PLOT.left}" y="22" style="font-size: 14px; font-weight: 600">${escaped(texts.title)}</text>
${lines.join('\n')}
</svg>
`;
}

function drawCurve(
  { name, points }: Curve,
  index: number,
  { x, y }: { readonly x: Scale; readonly y: Scale },
  nameY: number
): string {
  const color = COLORS[index % COLORS.length]!;
  const dash = DASHES[Math.floor(index / COLORS.length) % DASHES.length]!;
  const places = points.map((point) => [x.place(point.x), y.place(point.y)].map(rounded).join(','));
  const last = points.at(-1)!;
  const toName = `M${rounded(x.place(last.x))},${rounded(y.place(last.y))} L${PLOT.right + 16},${rounded(nameY)}`;
  return [
    `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/>`,
    ...points.map(
      (point) => `<circle cx="${rounded(x.place(point.x))}" cy="${rounded(y.place(point.y))}" r="3" fill="${color}"/>`
    ),
    `<path d="${toName}" fill="none" stroke="${color}" stroke-width="0.75"/>`,
    `<text x="${PLOT.right + 20}" y="${rounded(nameY + 4)}">${escaped(name)}</text>`,
  ].join('\n');
}

function yTick(y: number, text: string): string {
  return `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${rounded(y)}" y2="${rounded(y)}"/>
<text x="${PLOT.left - 8}" y="${rounded(y + 4)}" text-anchor="end">${escaped(text)}</text>`;
}

function xTick(x: number, text: string): string {
  return `<line class="grid" x1="${rounded(x)}" x2="${rounded(x)}" y1="${PLOT.top}" y2="${PLOT.bottom}"/>
<text x="${rounded(x)}" y="${PLOT.bottom + 20}" text-anchor="middle">${escaped(text)}</text>`;
}

type Range = readonly [number, number];

interface Scale {
  readonly range: Range;
  readonly place: (value: number) => number;
}

function scale(from: Range, to: Range): Scale {
  const [low, high] = from.map(Math.log10) as [number, number];
  // A single value lies at the start.
  const width = high === low ? 1 : high - low;
  return { range: from, place: (value) => to[0] + ((Math.log10(value) - low) / width) * (to[1] - to[0]) };
}

function range(values: readonly number[]): Range {
  return [Math.min(...values), Math.max(...values)];
}

function wholeDecades([low, high]: Range): Range {
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high))];
}

/** 1, 2 and 5 of each decade. */
function ticks([low, high]: Range): number[] {
  const found: number[] = [];
  for (let decade = low; decade <= high; decade *= 10) {
    found.push(...[1, 2, 5].map((step) => step * decade).filter((value) => value <= high));
  }
  return found;
}

/** Places of the names: each as near to its line as the others allow. */
function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place);
  for (let i = 1; i < order.length; i++) {
    order[i]!.place = Math.max(order[i]!.place, order[i - 1]!.place + LINE_HEIGHT);
  }
  // What went below the plot moves the others up.
  for (let i = order.length - 1, limit = PLOT.bottom; i >= 0; i--, limit -= LINE_HEIGHT) {
    order[i]!.place = Math.min(order[i]!.place, limit);
  }
  const places = new Array<number>(wanted.length);
  for (const { place, index } of order) places[index] = place;
  return places;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
