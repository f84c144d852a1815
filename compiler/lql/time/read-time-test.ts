/** Parses the value of a time filter: a point, a range, braces or a shorthand. */
import type { SourcePosition } from '../../ast';
import { lqlError } from '../errors';
import type { Comparison, TimeTest } from '../rules';
import { readBraces } from './read-braces';
import { readPoint } from './read-point';
import { readUnit } from './units';

const THIS = /^this@([a-z]+)$/;
const LAST = /^last@(\d{1,4})?([a-z]+)$/;
/** Times before now in other languages: `-5m`, `now-5m`, `last@-5m`. */
const AGO = /^(?:now|last@)?-(\d{1,4})([a-z]+)$/;

/**
 * @param operator of the filter; only points allow others than `:`
 * @throws bad_time, range_operator
 */
export function readTimeTest(text: string, operator: Comparison, position: SourcePosition): TimeTest {
  if (text === 'now') return { kind: 'compare', operator, point: { kind: 'now' } };
  const point = readPoint(text);
  if (point !== null) return { kind: 'compare', operator, point };
  const braces = readBraces(text);
  if (braces !== null && samePoint(braces)) return { kind: 'compare', operator, point: braces.low };
  const interval = readInterval(text) ?? (braces && { kind: 'range', ...braces });
  if (interval === null) throw badTime(text, position);
  if (operator !== '=') {
    throw lqlError('range_operator', `"${text}" is a range of time and takes ":" and ":!=" only`, position, {
      hint: `write t:${text}`,
    });
  }
  return interval;
}

function readInterval(text: string): TimeTest | null {
  if (text === 'today' || text === 'yesterday') return { kind: text };
  const current = readUnit(THIS.exec(text)?.[1] ?? '');
  if (current !== undefined) return { kind: 'this', unit: current };
  const last = LAST.exec(text);
  const unit = readUnit(last?.[2] ?? '');
  if (last !== null && unit !== undefined) return { kind: 'last', count: Number(last[1] ?? 1), unit };
  const [left, right, ...more] = text.split('..');
  if (left === undefined || right === undefined || more.length > 0) return null;
  const [low, high] = [readPoint(left), readPoint(right)];
  return low && high && { kind: 'range', low, high };
}

function samePoint({ low, high }: NonNullable<ReturnType<typeof readBraces>>): boolean {
  if (low.kind === 'day') return high.kind === 'day' && low.days === high.days;
  return low.kind === 'instant' && high.kind === 'instant' && low.micros === high.micros;
}

function badTime(text: string, position: SourcePosition): Error {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return lqlError('bad_time', `"${shown}" is not a time`, position, { hint: hintFor(text) });
}

function hintFor(text: string): string {
  const [, count = '', unit = ''] = /^last@(\d*)([a-z]*)/.exec(text) ?? [];
  const [, ago = '', agoUnit = ''] = AGO.exec(text) ?? [];
  if (readUnit(agoUnit) !== undefined) return `write t:last@${ago}${agoUnit} for the time since then`;
  if (text.startsWith('last@')) {
    const meant = unit.startsWith('mi') ? 'm' : unit.startsWith('mo') ? 'mm' : unit.slice(0, 1);
    const letter = readUnit(meant) === undefined ? 'm' : meant;
    return `write last@${count.slice(0, 4)}${letter}; the units are s, m, h, d, w, mm and y`;
  }
  if (text.startsWith('this@')) return 'write this@minute, this@hour, this@day, this@week, this@month or this@year';
  const open = /^(.*)\.\.$|^\.\.(.*)$/.exec(text);
  if (open !== null) return open[1] === undefined ? `write t:<=${open[2]}` : `write t:>=${open[1]}`;
  if (/^\d+$/.test(text)) return 'a Unix time has 10, 13 or 16 digits: seconds, milliseconds or microseconds';
  return 'write 2026-03-01, 2026-03-01T08:00:00Z, a..b, today, yesterday, this@week or last@15m';
}
