/** What the builder prints is read back as the same query, whatever the query. */
import fc from 'fast-check';
import { formatSql } from '../../../src/builder/format-sql';
import type { BuilderModel } from '../../../src/builder/model';
import { printLql } from '../../../src/builder/print-lql';
import { printSql } from '../../../src/builder/print-sql';
import { readLql } from '../../../src/builder/read-lql';
import { readSql } from '../../../src/builder/read-sql';
import { arbitraryModel, ODD_TABLES } from '../../support/arbitrary-builder-model';

test('SQL of any query is read as that query', () => {
  fc.assert(
    fc.property(arbitraryModel(ODD_TABLES, 'sql'), (model) => {
      expect(readSql(printSql(model), ODD_TABLES)).toEqual({ model });
    }),
    { numRuns: 2_000 }
  );
});

test('SQL in another layout, in capital letters and with its formatting is the same query', () => {
  fc.assert(
    fc.property(arbitraryModel(ODD_TABLES, 'sql'), (model) => {
      const text = printSql(model);
      expect(readSql(formatSql(text)!, ODD_TABLES)).toEqual({ model });
      expect(readSql(shouted(text), ODD_TABLES)).toEqual({ model });
    }),
    { numRuns: 500 }
  );
});

test('LQL of any query is read as that query', () => {
  fc.assert(
    fc.property(arbitraryModel(ODD_TABLES, 'lql'), (model: BuilderModel) => {
      expect(readLql(printLql(model), ODD_TABLES)).toEqual({ model });
    }),
    { numRuns: 2_000 }
  );
});

/** Keywords at the beginning of lines, which stand in no quotes. */
function shouted(text: string): string {
  return text.replace(
    /^(?:select|from|where|group by|order by|limit|\s+(?:cross|left) join unnest|\s+and) /gm,
    (words) => words.toUpperCase()
  );
}
