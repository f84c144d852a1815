/** A statement resolves the named tables that it reads, and no others. */
import { savedQuerySchema } from '#contract/queries/saved-query';
import { ServiceError } from '#contract/errors';
import type { AdhocText } from '#contract/queries/query';
import { compile } from '#compiler/compile';
import { mentionedTables, neededTables } from '#compiler/ast/mentioned-tables';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import { AD_HOC_LIMITS } from '#compiler/sql/parse-limits';

const definition = savedQuerySchema.parse({
  id: '11111111-1111-4111-8111-111111111111',
  name: 'case',
  sandbox: true,
  query: `WITH a AS (SELECT 1 AS n), B AS (SELECT n + 1 AS n FROM A), c AS (SELECT n FROM b), d AS (SELECT 4 AS n)
    SELECT n FROM d`,
});

function compiled(adhoc: AdhocText | null): void {
  compile({
    definition,
    adhoc,
    parameters: {},
    catalog: { dialect: 'duckdb', sources: [] },
    nowMicros: 0,
    maxRows: 10,
    redaction: null,
    tenant: null,
  });
}

const sql = (text: string): AdhocText => ({ language: 'sql', text });

it.each<readonly [string, string, readonly string[]]>([
  ['a table', 'select * from c', ['a', 'B', 'c']],
  ['another case', 'select * from b', ['a', 'B']],
  ['a subquery', 'select (select max(n) from d) as m', ['d']],
  ['a subquery in ORDER BY', 'select n from a order by (select max(n) from d)', ['a', 'd']],
  ['a query of its own name', 'with a as (select 1 as n) select * from a', ['a']],
  ['a pipe', 'from d |> join b using (n) |> union all (select n from c)', ['a', 'B', 'c', 'd']],
  ['an IN', 'select n from d where n in (select n from a)', ['a', 'd']],
  ['no table', 'select 1 as one', []],
])('%s', (_, text, expected) => {
  const all = parseStatement(definition.query, AD_HOC_LIMITS).with;
  const needed = neededTables(all, mentionedTables(parseStatement(text, AD_HOC_LIMITS)));
  expect(needed.map(({ name }) => name.name)).toEqual(expected);
});

it('the saved query itself, a statement in its sandbox, and LQL compile with what they need', () => {
  expect(() => compiled(null)).not.toThrow();
  expect(() => compiled(sql('select n from c where n in (select n from d)'))).not.toThrow();
  expect(() => compiled({ language: 'lql', text: 'f:C n:3' })).not.toThrow();
});

it('an unknown table lists all tables of the sandbox in their order', () => {
  try {
    compiled(sql('select * from cc'));
    throw new Error('no error');
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).details).toMatchObject({ name: 'cc', tables: ['a', 'B', 'c', 'd'] });
  }
});
