/**
 * Random queries that open nested records, each in two forms: in our dialect, and in DuckDB's own over a table that
 * really keeps arrays of structs. The second is the oracle: it joins every array, where we read columns.
 */
import fc from 'fast-check';

interface Leaf {
  readonly name: string;
  readonly values: readonly string[];
}

interface Shape {
  readonly leaves: readonly Leaf[];
  readonly children: Readonly<Record<string, Shape>>;
}

const text = (name: string, ...values: string[]): Leaf => ({ name, values: values.map((value) => `'${value}'`) });
const whole = (name: string, ...values: number[]): Leaf => ({ name, values: values.map(String) });

/** What is below `metadata` in the events of the test. */
export const SHAPE: Shape = {
  leaves: [text('host', 'a', 'b')],
  children: {
    request: {
      leaves: [text('method', 'GET', 'POST'), text('path', '/rest', '/auth', '/rest/x')],
      children: { headers: { leaves: [text('agent', 'curl', 'app')], children: {} } },
    },
    response: { leaves: [whole('status', 200, 404, 500)], children: {} },
  },
};

/** DuckDB's type of an array of such records. */
export function listType(shape: Shape): string {
  const leaves = shape.leaves.map(
    ({ name, values }) => `"${name}" ${values[0]?.startsWith("'") ? 'VARCHAR' : 'BIGINT'}`
  );
  const children = Object.entries(shape.children).map(([name, child]) => `"${name}" ${listType(child)}`);
  return `STRUCT(${[...leaves, ...children].join(', ')})[]`;
}

export type NestedRecord = { readonly [key: string]: string | number | NestedRecord };

/** A record where any leaf and any child may be missing. */
export function arbitraryRecord(shape: Shape): fc.Arbitrary<NestedRecord> {
  const fields: Record<string, fc.Arbitrary<string | number | NestedRecord>> = {};
  for (const { name, values } of shape.leaves) {
    fields[name] = fc
      .constantFrom(...values)
      .map((value) => (value.startsWith("'") ? value.slice(1, -1) : Number(value)));
  }
  for (const [name, child] of Object.entries(shape.children)) fields[name] = arbitraryRecord(child);
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<NestedRecord>;
}

/** The same record as arrays of structs have it, every field named. */
export function asLists(record: NestedRecord, shape: Shape): unknown {
  const leaves = shape.leaves.map(({ name }) => [name, record[name] ?? null]);
  const children = Object.entries(shape.children).map(([name, child]) => {
    const inner = record[name];
    return [name, typeof inner === 'object' ? [asLists(inner, child)] : []];
  });
  return Object.fromEntries([...leaves, ...children]);
}

export interface QueryPair {
  readonly ours: string;
  readonly theirs: string;
}

interface Opened {
  readonly alias: string;
  readonly shape: Shape;
}

interface From {
  readonly ours: string;
  readonly theirs: string;
  readonly opened: readonly Opened[];
}

type Join = 'CROSS JOIN' | 'LEFT JOIN' | 'INNER JOIN' | ',';

const joins = fc.constantFrom<Join>('CROSS JOIN', 'LEFT JOIN', 'INNER JOIN', ',');

function open(from: From, join: Join, parent: string, field: string, shape: Shape, alias: string): From {
  const on = join === 'LEFT JOIN' || join === 'INNER JOIN' ? ' ON TRUE' : '';
  return {
    ours: `${from.ours} ${join} UNNEST(${parent}.${field}) AS ${alias}${on}`,
    theirs: `${from.theirs} ${join === ',' ? 'CROSS JOIN' : join} UNNEST(${parent}.${field}) AS u_${alias}(${alias})${on}`,
    opened: [...from.opened, { alias, shape }],
  };
}

/** metadata, then up to three records below it, in any order that has parents first. */
const froms: fc.Arbitrary<From> = fc
  .tuple(fc.array(joins, { minLength: 4, maxLength: 4 }), fc.subarray(['request', 'response', 'headers']), fc.boolean())
  .map(([kinds, wanted, derived]) => {
    const [first, second, third, fourth] = kinds as [Join, Join, Join, Join];
    const table = derived ? "(SELECT id, metadata FROM edge_logs WHERE id > 'e03')" : 'edge_logs';
    let from: From = { ours: `${table} AS t`, theirs: `${table} AS t`, opened: [] };
    from = open(from, first, 't', 'metadata', SHAPE, 'm');
    const { request, response } = SHAPE.children as { request: Shape; response: Shape };
    if (wanted.includes('request') || wanted.includes('headers'))
      from = open(from, second, 'm', 'request', request, 'rq');
    if (wanted.includes('headers')) from = open(from, third, 'rq', 'headers', request.children.headers as Shape, 'h');
    if (wanted.includes('response')) from = open(from, fourth, 'm', 'response', response, 'rs');
    return from;
  });

const leavesOf = (from: From): readonly { readonly sql: string; readonly values: readonly string[] }[] =>
  from.opened.flatMap(({ alias, shape }) =>
    shape.leaves.map(({ name, values }) => ({ sql: `${alias}.${name}`, values }))
  );

function condition(from: From): fc.Arbitrary<string> {
  const leaf = fc.constantFrom(...leavesOf(from));
  const simple = leaf.chain(({ sql, values }) =>
    fc.oneof(
      fc
        .tuple(fc.constantFrom('=', '!=', '<', '>='), fc.constantFrom(...values))
        .map(([op, value]) => `${sql} ${op} ${value}`),
      fc.constantFrom(`${sql} IS NULL`, `${sql} IS NOT NULL`),
      fc.subarray([...values], { minLength: 1 }).map((some) => `${sql} NOT IN (${some.join(', ')})`)
    )
  );
  return fc.letrec<{ all: string }>((tie) => ({
    all: fc.oneof(
      { maxDepth: 3 },
      simple,
      fc.tuple(tie('all'), fc.constantFrom('AND', 'OR'), tie('all')).map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie('all').map((a) => `NOT (${a})`)
    ),
  })).all;
}

/** Both forms, with an order that makes the rows comparable. */
export const arbitraryQueryPair: fc.Arbitrary<QueryPair> = froms.chain((from) =>
  fc
    .tuple(fc.option(condition(from)), fc.boolean(), fc.subarray([...leavesOf(from)], { minLength: 1 }))
    .map(([where, grouped, leaves]) => {
      const filter = where === null ? '' : ` WHERE ${where}`;
      const columns = leaves.map(({ sql }, index) => `${sql} AS k${index}`);
      const keys = leaves.map((_, index) => `k${index} ASC NULLS FIRST`).join(', ');
      const items = grouped ? [...columns, 'COUNT(*) AS n', 'MIN(t.id) AS first'] : ['t.id AS id', ...columns];
      const group = grouped ? ` GROUP BY ${leaves.map(({ sql }) => sql).join(', ')}` : '';
      const order = grouped ? keys : `id, ${keys}`;
      const build = (text: string): string =>
        `SELECT ${items.join(', ')} FROM ${text}${filter}${group} ORDER BY ${order}`;
      return { ours: build(from.ours), theirs: build(from.theirs) };
    })
);
