/** Expressions that are too large to be printed as SQL. */
import { savedQuerySchema } from '#contract/queries/saved-query';
import { compile } from '#compiler/compile';
import type { ServiceError } from '#contract/errors';
import type { StoreDialect } from '#compiler/catalog/catalog';

function failureOf(query: string, dialect: StoreDialect): ServiceError['details'] {
  const definition = savedQuerySchema.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'case', query });
  const facts = { adhoc: null, parameters: {}, nowMicros: 0, maxRows: 10, redaction: null, tenant: null };
  try {
    compile({ definition, catalog: { dialect, sources: [] }, ...facts });
  } catch (error) {
    return (error as ServiceError).details;
  }
  throw new Error('The query was not refused.');
}

it.each(['duckdb', 'clickhouse'] as const)(
  'an expression that is too deep is refused with its place: %s',
  (dialect) => {
    const sum = `n${' + n'.repeat(200)}`;
    expect(failureOf(`select n,\n  ${sum} as v from unnest([1]) as n`, dialect)).toMatchObject({
      reason: 'too_complex',
      maximum: 150,
      position: { line: 2, column: expect.any(Number) as number },
    });
  }
);
