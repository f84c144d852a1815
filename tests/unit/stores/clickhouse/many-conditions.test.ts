import { hasManyConditions } from '#compiler/store';
import { compile } from '#compiler/compile';
import { savedQuerySchema } from '#contract/queries/saved-query';

function printed(query: string): string {
  const definition = savedQuerySchema.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'case', query });
  const catalog = { dialect: 'clickhouse', sources: [] } as const;
  const nowMicros = Date.UTC(2026, 2, 1) * 1000;
  const request = { definition, adhoc: null, parameters: {}, catalog, nowMicros, maxRows: 10, tenant: null };
  return compile({ ...request, redaction: null }).sql;
}

const FROM = "from unnest([struct('a' as s)])";

test.each([
  [10, false],
  [200, true],
])('a statement with %i conditions has many: %s', (count, expected) => {
  const patterns = Array.from({ length: count }, (_, n) => `'%${n}%'`);
  expect(hasManyConditions(printed(`select 1 as n ${FROM} where s like all (${patterns.join(', ')})`))).toBe(expected);
  const conditions = patterns.map((pattern) => `s not like ${pattern}`);
  expect(hasManyConditions(printed(`select 1 as n ${FROM} where ${conditions.join(' and ')}`))).toBe(expected);
});
