/**
 * Functions and operators within themselves: the SQL of both stores grows with the depth, and no faster. A text that is
 * short would else become a statement that takes a store seconds or gigabytes to read.
 */
import { savedQuerySchema } from '#contract/queries/saved-query';
import type { Catalog } from '#compiler/catalog/catalog';
import { compile, type CompileRequest, printResolved, resolveRequest } from '#compiler/compile';
import { ServiceError } from '#contract/errors';
import {
  functionsWithoutNest,
  type NestedCall,
  nestedFunctions,
  nestedOperators,
  type TypeOf,
} from '../../support/cases/sql/nested-calls';
import { processorMs } from '../../support/jest/processor-time';

const CATALOGS: readonly Catalog[] = [
  { dialect: 'duckdb', sources: [] },
  { dialect: 'clickhouse', sources: [] },
];

function requestOf(query: string, catalog: Catalog): CompileRequest {
  const definition = savedQuerySchema.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'case', query });
  const nowMicros = Date.UTC(2026, 2, 1) * 1000;
  return { definition, adhoc: null, parameters: {}, catalog, nowMicros, maxRows: 10, redaction: null, tenant: null };
}

const typeOf: TypeOf = (expression, from) => {
  try {
    const { columns } = compile(requestOf(`select ${expression} as x from ${from}`, CATALOGS[0]!));
    return columns[0]?.typeName;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
};

/** Lengths of the SQL of each store; null: the nest is deeper than a query may be. */
function lengthsOf({ at, from }: NestedCall, depth: number): readonly number[] | null {
  const query = `select ${at(depth)} as x from ${from}`;
  try {
    const resolved = resolveRequest(requestOf(query, CATALOGS[0]!));
    return CATALOGS.map((catalog) => printResolved(resolved, requestOf(query, catalog)).sql.length);
  } catch (error) {
    if (error instanceof ServiceError && /nested|levels deep|arithmetic of intervals/.test(error.message)) return null;
    throw error;
  }
}

/** Small operands are repeated: the first levels say nothing. */
const DEPTHS = [4, 8, 16] as const;
/** Growth of each level, compared with that of the levels before: 1 where it is linear, 2 where it is quadratic. */
const MAX_GROWTH = 1.5;

/** Of the processor. A nest takes some milliseconds; one that is resolved twice at each level takes seconds. */
const MAX_MS = 1_000;

/** Why a nest grows too fast; undefined: it does not. */
function problemOf(nest: NestedCall): string | undefined {
  const [few, some, many] = DEPTHS;
  const lengths: (readonly number[])[] = [];
  for (const depth of [few, some, many]) {
    try {
      let found = null as readonly number[] | null;
      const takenMs = processorMs(() => (found = lengthsOf(nest, depth)), MAX_MS, 1);
      if (takenMs > MAX_MS) return `${nest.name} takes long to compile`;
      if (found === null) break;
      lengths.push(found);
    } catch (error) {
      return `${nest.name} at depth ${depth}: ${String(error)}`;
    }
  }
  const [a, b, c] = lengths;
  if (a === undefined || b === undefined) return undefined;
  const longest = CATALOGS.map((_, store) => {
    const before = (b[store]! - a[store]!) / (some - few);
    const after = c === undefined ? before : (c[store]! - b[store]!) / (many - some);
    // The first of two growths is unknown: a level of some kilobytes is not a linear one.
    return Math.max(after / before, c === undefined ? before / 20_000 : 0);
  });
  return Math.max(...longest) > MAX_GROWTH ? `${nest.name}: ${JSON.stringify(lengths)}` : undefined;
}

const FUNCTIONS = nestedFunctions(typeOf);

it.each(FUNCTIONS)('functions in functions grow no faster than their depth: %s', (_family, nests) => {
  expect(nests.flatMap((nest) => problemOf(nest) ?? [])).toEqual([]);
});

it('operators in operators grow no faster than their depth', () => {
  const nests = nestedOperators(typeOf);
  expect(nests.length).toBeGreaterThan(200);
  expect(nests.flatMap((nest) => problemOf(nest) ?? [])).toEqual([]);
});

function within(step: (inner: string) => string, depth: number): string {
  return depth === 0 ? 'n' : step(within(step, depth - 1));
}

it.each([
  ['the other value is converted to its type', (inner: string) => `iferror(${inner} / n, n)`],
  ['a branch may fail', (inner: string) => `iferror(if(${inner} > 1, 1, 1 / n), n)`],
  ['it is NULL', (inner: string) => `nulliferror(${inner} / n)`],
])('IFERROR in IFERROR grows no faster than its depth where %s', (name, step) => {
  const nest = { name, at: (depth: number) => within(step, depth), from: 'unnest([1]) as n' };
  expect(problemOf(nest)).toBeUndefined();
});

/** Why ISERROR refuses a nest; undefined: it does not, or the nest is deeper than a query may be. */
function refusalOf({ at, from }: NestedCall, depth: number): string | undefined {
  try {
    resolveRequest(requestOf(`select iserror(${at(depth)}) as x from ${from}`, CATALOGS[0]!));
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code === 'sandbox_violation' ? error.message : undefined;
    throw error;
  }
}

it('ISERROR takes a large operand if it takes a small one', () => {
  const nests = [...FUNCTIONS.flatMap(([, all]) => all), ...nestedOperators(typeOf)];
  const differing = nests.filter((nest) => refusalOf(nest, 1) === undefined && refusalOf(nest, 6) !== undefined);
  expect(differing.map(({ name }) => name)).toEqual([]);
});

/** Without an argument, or with a result of a type that has no conversion here. */
const WITHOUT_NEST = [
  ...['CURRENT_TIMESTAMP', 'CURRENT_DATETIME', 'CURRENT_DATE', 'CURRENT_TIME', 'REGEXP_EXTRACT_GROUPS'],
  ...['PI', 'RAND', 'GENERATE_UUID', 'ERROR', 'TO_JSON', 'ARRAY_ZIP'],
];

it('no other function is left out', () => {
  expect(functionsWithoutNest(FUNCTIONS.flatMap(([, nests]) => nests))).toEqual(WITHOUT_NEST);
});
