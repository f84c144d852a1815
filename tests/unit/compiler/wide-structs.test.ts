/**
 * Texts of structs with hundreds of fields: the conversion of a type is a large part of a statement, and is there once.
 * Five hundred of them took ClickHouse seconds.
 */
import { savedQuerySchema } from '#contract/queries/saved-query';
import { compile } from '#compiler/compile';

function lengthOf(dialect: 'duckdb' | 'clickhouse', value: string): number {
  const query = `select ${value} as x from unnest([1.5]) as f`;
  const definition = savedQuerySchema.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'case', query });
  return compile({
    definition,
    adhoc: null,
    parameters: {},
    catalog: { dialect, sources: [] },
    nowMicros: Date.UTC(2026, 2, 1) * 1000,
    maxRows: 10,
    redaction: null,
    tenant: null,
  }).sql.length;
}

const list = (count: number, at: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => at(index)).join(', ');

const VALUES: Readonly<Record<string, (count: number) => string>> = {
  TO_JSON: (count) => `to_json(struct(${list(count, (index) => `f as c${index}`)}))`,
  TO_JSON_STRING: (count) => `to_json_string(struct(${list(count, (index) => `f as c${index}`)}))`,
  'TO_JSON_STRING on several lines': (count) =>
    `to_json_string(struct(${list(count, (index) => `f as c${index}`)}), true)`,
  'TO_JSON_STRING of fields of two types': (count) =>
    `to_json_string(struct(${list(count, (index) => `${index % 2 === 0 ? 'f' : 'f > 1'} as c${index}`)}))`,
  JSON_OBJECT: (count) => `json_object(${list(count, (index) => `'c${index}', f`)})`,
  JSON_ARRAY: (count) => `json_array(${list(count, () => 'f')})`,
  'FORMAT with %t': (count) => `format('%t', struct(${list(count, () => 'f')}))`,
  'FORMAT with %T': (count) => `format('%T', struct(${list(count, () => 'f')}))`,
};

it.each(Object.entries(VALUES))('another hundred fields add little SQL: %s', (_name, value) => {
  for (const dialect of ['duckdb', 'clickhouse'] as const) {
    const added = lengthOf(dialect, value(300)) - lengthOf(dialect, value(200));
    expect(added).toBeLessThan(100 * 200);
  }
});
