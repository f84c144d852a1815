/**
 * A printed query reads as the same query, and each query has one text.
 *
 * @slow 10
 */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { printLql } from '#compiler/lql/encode/print-lql';
import { parseLql } from '#compiler/lql/parser/parse-lql';
import type { LqlQuery } from '#compiler/lql/rules';
import { arbitraryLql, arbitraryLqlText } from '../../../support/arbitrary/lql';

/** Without places, and with the filters in the order of their texts: they are joined by AND. */
function meaningOf(query: LqlQuery): unknown {
  const filters = query.filters.map((filter) =>
    printLql({ ...query, from: null, selects: [], chart: null, filters: [filter] })
  );
  return plain({ ...query, filters: filters.sort() });
}

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      key === 'position' ? undefined : typeof inner === 'bigint' ? String(inner) : inner
    )
  );
}

test('any query that is printed and read again is the same query', () => {
  fc.assert(
    fc.property(arbitraryLql, (tree) => {
      const query = tree as unknown as LqlQuery;
      const printed = printLql(query);
      const again = parseLql(printed);
      expect(meaningOf(again)).toEqual(meaningOf(query));
      expect(printLql(again)).toBe(printed);
    }),
    { numRuns: 2_000 }
  );
});

test('any filter that is printed and read again is the same tree', () => {
  fc.assert(
    fc.property(arbitraryLql, (tree) => {
      const query = tree as unknown as LqlQuery;
      for (const filter of query.filters) {
        const printed = printLql({ ...query, from: null, selects: [], chart: null, filters: [filter] });
        expect(plain(parseLql(printed).filters)).toEqual(plain([filter]));
      }
    }),
    { numRuns: 1_000 }
  );
});

test('any text is read and prints the same each time, or is refused at a position inside it', () => {
  fc.assert(
    fc.property(arbitraryLqlText, (text) => {
      let query: LqlQuery;
      try {
        query = parseLql(text);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.code === 'sql_empty') return;
        const { offset, length } = error.details as { offset: number; length: number };
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(length).toBeGreaterThanOrEqual(0);
        // Past the end stands one character that is missing.
        expect(offset + length).toBeLessThanOrEqual(text.length + 1);
        return;
      }
      const printed = printLql(query);
      const again = parseLql(printed);
      expect(printLql(again)).toBe(printed);
      expect(meaningOf(again)).toEqual(meaningOf(query));
    }),
    { numRuns: 5_000 }
  );
});

test.each([
  ['chart:count(*) metadata.level:error from:edge_logs', 'f:edge_logs m.level:error c:count(*) c:group_by(t::minute)'],
  ['s:"m".x s:m.x', 's:"m".x s:m.x'],
  ['select:timestamp chart:group_by(timestamp::s)', 's:timestamp c:count(*) c:group_by(t::second)'],
  ['c:group_by(t::1m)', 'c:count(*) c:group_by(t::minute)'],
  ['c:group_by(t::31536s)', 'c:count(*) c:group_by(t::31536s)'],
  ['c:group_by(t::9999w) c:group_by(t::9999w)', 'c:count(*) c:group_by(t::9999w)'],
  ['c:group_by(t::6047395200s)', 'c:count(*) c:group_by(t::6047395200s)'],
  ['f:"my logs" "a b"', 'f:"my logs" "a b"'],
  ['m."a.b"."c\\"d":1', 'm."a.b"."c\\"d":1'],
  ['from:!=a', 'from:!=a'],
  ['-select:!=in(a,b)', '-select:!=in(a,b)'],
  ['-c:!=1..5 f:!=NULL', '-c:!=1..5 f:!=NULL'],
  ['-f:>=5 s:~x f:@>y', '-f:>=5 f:@>y s:~x'],
  ['-f.x:1', '-f.x:1'],
])('%s prints as %s', (text, canonical) => {
  expect(printLql(parseLql(text))).toBe(canonical);
});
