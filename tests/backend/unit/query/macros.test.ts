import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { ensureResolved, type MacroTarget, resolveMacros } from '#backend/query/macros';
import { parseQuery, readyQuery } from '#backend/query/read-query';
import { createTimeContext, formatSeconds } from '#backend/query/time-context';

interface MacroCase {
  readonly in: MacroTarget;
  readonly text: string;
  readonly alert?: boolean;
  readonly gives?: string;
  readonly fails?: string;
}

const CORPUS = path.join(__dirname, '../../../corpus/plugin/macros.yaml');
const cases = parse(readFileSync(CORPUS, 'utf8')) as MacroCase[];
const time = createTimeContext(Date.parse('2026-03-17T10:00:00Z'), Date.parse('2026-03-17T11:00:00Z'), 60_000, 500);

test.each(cases)('the macro $in becomes $text', ({ in: target, text, alert = false, gives, fails }) => {
  const resolve = () => {
    const resolved = resolveMacros(text, target, time);
    ensureResolved(resolved, target, alert);
    return resolved;
  };
  if (fails !== undefined) expect(resolve).toThrow(fails);
  else expect(resolve()).toBe(gives);
});

test.each([
  ['lql', 'f:logs m.path:"/u/${__dollar}{id}/${__bracket}[x]]"'],
  ['sql', "select '/u/${__dollar}{id}/${__bracket}[x]]' from logs"],
])('characters of inserted values in %s, parameters and filters are resolved last', (mode, text) => {
  const value = '/u/${__dollar}{id}/${__dollar}__from/${__dollar}__nope';
  const literal = '/u/${id}/$__from/$__nope';
  const filters = [{ field: 'm.a', operator: '=', value }];
  const query = { endpoint: { name: 'logs' }, mode, [mode]: text, params: { path: value }, filters };
  const { call } = readyQuery(parseQuery(Buffer.from(JSON.stringify(query))), {}, time, false);
  expect(call.params).toEqual({ path: literal });
  expect(call.adhoc?.text).toContain('/u/${id}/[[x]]');
  expect(call.adhoc?.text).toContain(literal);
});

test('text without a dollar sign is unchanged', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom<MacroTarget>('value', 'sql', 'lql'), (text, target) => {
      fc.pre(!text.includes('$'));
      return resolveMacros(text, target, time) === text;
    })
  );
});

test('the interval is whole seconds, and never makes more points than can be shown', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), fc.nat(100_000_000), fc.nat(100_000), (range, intervalMs, maxDataPoints) => {
      const { intervalSeconds } = createTimeContext(0, range, intervalMs, maxDataPoints);
      expect(Number.isInteger(intervalSeconds) && intervalSeconds >= 1).toBe(true);
      expect(range / 1000 / intervalSeconds).toBeLessThanOrEqual(11_000);
      expect(intervalSeconds * 1000).toBeGreaterThanOrEqual(intervalMs);
    })
  );
});

test('seconds are written with the largest unit that fits', () => {
  expect([1, 59, 60, 90, 3600, 5400, 86_400, 172_800].map(formatSeconds)).toEqual([
    '1s',
    '59s',
    '1m',
    '90s',
    '1h',
    '90m',
    '1d',
    '2d',
  ]);
});
