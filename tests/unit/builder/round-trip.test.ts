/**
 * Any query that the builder prints is read back as the same query.
 *
 * @slow 15
 */
import fc from 'fast-check';
import { formatSql } from '../../../src/builder/sql/format-sql';
import type { BuilderModel, ReadResult } from '../../../src/builder/model';
import { printLql } from '../../../src/builder/lql/print-lql';
import { printSql } from '../../../src/builder/sql/print-sql';
import { readLql } from '../../../src/builder/lql/read-lql';
import { readSql } from '../../../src/builder/sql/read-sql';
import { arbitraryModel, ODD_TABLES } from '../../support/arbitrary/builder-model';

test('SQL printed for any query is read as the same query', () => {
  fc.assert(
    fc.property(arbitraryModel(ODD_TABLES, 'sql'), (model) => {
      expect(readSql(printSql(model), ODD_TABLES)).toEqual({ model });
    }),
    { numRuns: 2_000 }
  );
});

test('SQL in another layout, in capital letters or formatted is read as the same query', () => {
  fc.assert(
    fc.property(arbitraryModel(ODD_TABLES, 'sql'), (model) => {
      const text = printSql(model);
      expect(readSql(formatSql(text)!, ODD_TABLES)).toEqual({ model });
      expect(readSql(shouted(text), ODD_TABLES)).toEqual({ model });
    }),
    { numRuns: 500 }
  );
});

test('LQL printed for any query is read as the same query', () => {
  fc.assert(
    fc.property(arbitraryModel(ODD_TABLES, 'lql'), (model: BuilderModel) => {
      expect(readLql(printLql(model), ODD_TABLES)).toEqual({ model });
    }),
    { numRuns: 2_000 }
  );
});

const PIECES = fc.constantFrom(
  ...[
    'select',
    'from',
    'edge_logs',
    'where',
    'group by',
    'order by',
    'limit',
    'id',
    'm.level',
    'count(*)',
    'as',
    'and',
    'or',
    'not',
  ],
  ...[
    'cross join unnest(metadata) as m',
    '$__timeFilter(timestamp)',
    '$__timeGroup(timestamp)',
    '$x',
    "'a'",
    '5',
    '=',
    'in',
    '(',
    ')',
    ',',
  ],
  ...[
    'f:edge_logs',
    's:id',
    'c:count(*)',
    'm.level:',
    'error',
    '-',
    '"',
    '~',
    't:now',
    '$__timeFilter',
    '.',
    '*',
    '@',
    '`',
    '\\',
    '\n',
  ]
);

test('any text is either read as a query that prints and reads as the same, or refused with a reason', () => {
  const isSound = (read: ReadResult, print: (model: BuilderModel) => string, again: (text: string) => ReadResult) =>
    'why' in read ? read.why.length > 0 : expect(again(print(read.model))).toEqual(read) === undefined;
  fc.assert(
    fc.property(fc.array(PIECES, { maxLength: 16 }), fc.boolean(), (pieces, isQuery) => {
      const text = `${isQuery ? 'select id from edge_logs ' : ''}${pieces.join(' ')}`;
      expect(isSound(readSql(text, ODD_TABLES), printSql, (each) => readSql(each, ODD_TABLES))).toBe(true);
      expect(isSound(readLql(text, ODD_TABLES), printLql, (each) => readLql(each, ODD_TABLES))).toBe(true);
    }),
    { numRuns: 3_000 }
  );
});

/** Keywords at the beginning of lines, which stand in no quotes. */
function shouted(text: string): string {
  return text.replace(
    /^(?:select|from|where|group by|order by|limit|\s+(?:cross|left) join unnest|\s+and) /gm,
    (words) => words.toUpperCase()
  );
}
