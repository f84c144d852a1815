/** Prints time filters: absolute times in UTC, shorthands unchanged. */
import { formatDays, formatMicros } from '../../time/parse-iso';
import type { TimePoint, TimeTest } from '../rules';
import { UNITS } from '../time/units';

export function printTimeTest(test: TimeTest): string {
  switch (test.kind) {
    case 'compare':
      return `${test.operator === '=' ? '' : test.operator}${printPoint(test.point)}`;
    case 'range':
      return `${printPoint(test.low)}..${printPoint(test.high)}`;
    case 'today':
    case 'yesterday':
      return test.kind;
    case 'this':
      return `this@${test.unit}`;
    case 'last':
      return `last@${test.count}${UNITS[test.unit].letter}`;
  }
}

function printPoint(point: TimePoint): string {
  switch (point.kind) {
    case 'day':
      return formatDays(point.days);
    case 'instant':
      return `${formatMicros(point.micros, 'T')}Z`;
    case 'now':
      return 'now';
  }
}
