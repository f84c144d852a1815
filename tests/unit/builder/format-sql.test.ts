/** Formatting changes white space only: the tree of the text is the same, and formatting again changes nothing. */
import fc from 'fast-check';
import { DEFINITION_LIMITS } from '#compiler/sql/parse-limits';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import { printCanonical } from '#compiler/sql/canonical/print-canonical';
import { formatSql } from '../../../src/builder/sql/format-sql';
import { arbitraryQuery } from '../../support/arbitrary/syntax/query';
import { ACCEPTED, CANONICAL } from '../../support/cases/sql/parser';

const WIDE = {
  ...DEFINITION_LIMITS,
  maxDepth: 400,
  maxNodes: 1_000_000,
  maxJoins: 10_000,
  maxSetBranches: 10_000,
  maxCommonTables: 10_000,
  maxSubqueries: 10_000,
  maxPipeOperators: 10_000,
};

const TEXTS = [...ACCEPTED.map(([, text]) => text), ...CANONICAL.flat()];

test.each(TEXTS)('formatting keeps the meaning of %s', (text) => {
  const formatted = formatSql(text)!;
  expect(printCanonical(parseStatement(formatted))).toBe(printCanonical(parseStatement(text)));
  expect(formatSql(formatted)).toBe(formatted);
});

test('formatting keeps the meaning and the comments of any query', () => {
  fc.assert(
    fc.property(
      arbitraryQuery,
      fc.array(fc.constantFrom(' ', '\n', ' /* a -- b */ ', ' -- c\n', '\n# d\n', '\t\n')),
      (tree, gaps) => {
        const plain = printCanonical(tree);
        // Only between tokens: canonical texts have one blank there, and blanks inside quotes are left alone.
        let at = 0;
        const text = plain.replace(/'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`| /g, (found) =>
          found === ' ' && gaps.length > 0 ? gaps[at++ % gaps.length]! : found
        );
        const formatted = formatSql(text)!;
        expect(printCanonical(parseStatement(formatted, WIDE))).toBe(plain);
        expect(formatSql(formatted)).toBe(formatted);
        expect(commentsOf(formatted)).toEqual(commentsOf(text));
      }
    ),
    { numRuns: 300 }
  );
});

test('formatting keeps the tokens of any text, and leaves a text with an unclosed quote unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          "'a'",
          '"',
          '--',
          '\n',
          'x',
          '-',
          '/',
          '*',
          '(',
          ')',
          '$__timeFilter(a)',
          '1',
          '.',
          '[[v]]',
          ' ',
          '${b:raw}',
          ',',
          'select',
          'from',
          'and'
        )
      ),
      (parts) => {
        const text = parts.join('');
        const formatted = formatSql(text);
        if (formatted === undefined) return;
        expect(formatted.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        expect(formatSql(formatted)).toBe(formatted);
      }
    ),
    { numRuns: 2_000 }
  );
  expect(formatSql("select 'a")).toBeUndefined();
  expect(formatSql('select /* a')).toBeUndefined();
});

test.each([
  [
    'SELECT a, count(*)  as n from edge_logs cross join unnest(metadata) as m where $__timeFilter(timestamp) and m.a between 1 and 2 and m.b in (1,2) group by a order by n desc limit 10',
    'SELECT a, count(*) as n\nfrom edge_logs\n  cross join unnest(metadata) as m\nwhere $__timeFilter(timestamp)\n  and m.a between 1 and 2\n  and m.b in (1, 2)\ngroup by a\norder by n desc\nlimit 10',
  ],
  [
    'with a as (select id from edge_logs where id = $id), b as (select 1 as x) select * from a -- all of them\n, b',
    'with a as (\n  select id\n  from edge_logs\n  where id = $id\n),\nb as (\n  select 1 as x\n)\nselect *\nfrom a -- all of them\n  , b',
  ],
  [
    "from edge_logs as e |> left join e.metadata.request as rq |> where rq.method = 'GET' and (rq.path like '/rest/%' or rq.path like '/auth/%') |> aggregate count(*) as n group and order by rq.path desc |> limit 5",
    "from edge_logs as e\n|> left join e.metadata.request as rq\n|> where rq.method = 'GET'\n  and (rq.path like '/rest/%' or rq.path like '/auth/%')\n|> aggregate count(*) as n\n  group and order by rq.path desc\n|> limit 5",
  ],
  [
    'from t |> extend a + 1 as b, a + 2 as c |> select a_column_with_a_rather_long_name, another_column_with_a_much_longer_name, b |> limit 5',
    'from t\n|> extend a + 1 as b, a + 2 as c\n|> select\n  a_column_with_a_rather_long_name,\n  another_column_with_a_much_longer_name,\n  b\n|> limit 5',
  ],
  [
    'from (from a |> where x > 1) |> full outer union all by name (select 1 as b), (from c) |> order by b',
    'from (\n  from a\n  |> where x > 1\n)\n|> full outer union all by name (\n  select 1 as b\n), (\n  from c\n)\n|> order by b',
  ],
  [
    'select a from t full union all by name select b from u left except all by name select c from v',
    'select a\nfrom t\nfull union all by name\nselect b\nfrom u\nleft except all by name\nselect c\nfrom v',
  ],
])('%s is formatted with one clause per line', (text, expected) => {
  expect(formatSql(text)).toBe(expected);
});

function commentsOf(text: string): readonly string[] {
  return text.match(/\/\*[^*]*\*\/|(?:--|#) [cd](?=\n|$)/g) ?? [];
}
