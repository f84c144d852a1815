/** Draws what `measureGrowth` found at several sizes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../support/report';
import { drawChart, type Curve } from './chart';
import type { GrowthFigures } from './run';

/** @param rows of several sizes, in their order; others are left out */
export function writeGrowthChart(root: string, rows: readonly Row[]): void {
  const curves = new Map<string, Curve>();
  for (const { what, figures } of rows) {
    if (!isGrowth(figures)) continue;
    const points = curves.get(what)?.points ?? [];
    curves.set(what, { name: what, points: [...points, { x: figures.events, y: figures.processorMs }] });
  }
  const chart = drawChart([...curves.values()], {
    title: 'Processor time of a call, in milliseconds, by the number of events',
    x: (events) => `${events / 1e6} million`,
    y: (milliseconds) => `${milliseconds} ms`,
  });
  writeFileSync(join(root, 'benchmarks', 'queries', 'growth', 'growth.svg'), chart);
}

function isGrowth(figures: Row['figures']): figures is Row['figures'] & GrowthFigures {
  return typeof figures.processorMs === 'number' && typeof figures.events === 'number';
}
