/**
 * Arbitrary queries of the builder over given tables, as its form can make them: operators by type, names that are
 * free.
 */
import fc from 'fast-check';
import type { DescribedColumn, DescribedTable } from '#contract/queries/description';
import { fieldsOf, isGroupable, operatorsOf, type BuilderField } from '../../../src/builder/fields';
import {
  AGGREGATES,
  emptyModel,
  type BuilderAggregate,
  type BuilderFilter,
  type BuilderModel,
  type FilterOperator,
  type FilterValue,
} from '../../../src/builder/model';
import { canonical, outputsOf } from '../../../src/builder/outputs';

export type Language = 'sql' | 'lql';

const TEXTS = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'error',
    "it's",
    'a"b',
    'a\\b',
    'a\nb',
    '50%',
    '$5',
    '${x}',
    '[[a]]',
    '${__dollar}a',
    'NULL',
    'true',
    '12',
    '1..2',
    '-- a',
    '',
    '\t',
    'ß…'
  )
);
const NUMBERS = fc.oneof(fc.integer().map(String), fc.constantFrom('0', '500', '-1.5', '0.25'));

/** @param isPlain values and names that the service takes for sure */
export function arbitraryModel(
  tables: readonly DescribedTable[],
  language: Language,
  isPlain = false
): fc.Arbitrary<BuilderModel> {
  return fc.oneof(...tables.map((table) => modelOf(table, language, isPlain)));
}

function modelOf(table: DescribedTable, language: Language, isPlain: boolean): fc.Arbitrary<BuilderModel> {
  const fields = fieldsOf(table.columns);
  const single = fields.filter(({ kind }) => kind !== 'list' && kind !== 'record');
  const numbers = fields.filter(({ kind }) => kind === 'number');
  const times = table.columns.filter(({ type }) => type === 'TIMESTAMP').map(({ name }) => name);
  const filters = fc.array(
    fc.oneof(
      ...fields.flatMap((field) => operatorsOf(field, language).map((operator) => filterOf(field, operator, isPlain)))
    ),
    { maxLength: 4 }
  );
  const alias = language === 'sql' || isPlain ? aliasOf(isPlain) : fc.constantFrom(undefined, 'a', 'B_2');
  const column = (from: readonly BuilderField[]) =>
    fc.record({ path: fc.constantFrom(...from.map(({ path }) => path)), alias }).map(withoutUndefined);
  const time = fc.constantFrom(null, ...(language === 'lql' ? ['timestamp'] : times));
  const aggregate = fc.constantFrom(...AGGREGATES).chain((name): fc.Arbitrary<BuilderAggregate> => {
    const from = /^(sum|avg|p\d)/.test(name) ? numbers : single;
    const paths = [...(name === 'count' ? [null] : []), ...from.map(({ path }) => path)];
    return paths.length === 0
      ? fc.constant({ name: 'count', path: null })
      : fc
          .record({
            name: fc.constant(name),
            path: fc.constantFrom(...paths),
            alias: language === 'sql' ? alias : fc.constant(undefined),
          })
          .map(withoutUndefined);
  });
  const rows = fc.record({
    columns: fc.array(column(fields.filter(({ path }) => language === 'sql' || path.length > 0)), { maxLength: 4 }),
  });
  const groups = fc.record({
    bucket: fc.option(
      fc.record({ column: fc.constantFrom(...times), period: fc.constantFrom(null, '30s', '5m', '1h', '1d') })
    ),
    groups: fc.array(column(fields.filter((each) => isGroupable(each, language))), { maxLength: 2 }),
    aggregates: fc.array(aggregate, { maxLength: 3 }),
  });
  return fc
    .record({
      shape: fc.oneof(rows, groups),
      timeFilter: time,
      filters,
      keepsMissing: fc.boolean(),
      limit: fc.option(fc.integer({ min: 1, max: 1000 })),
      picks: fc.array(fc.record({ at: fc.nat(), descending: fc.boolean() }), { maxLength: 2 }),
    })
    .map(({ shape, timeFilter, filters: chosen, keepsMissing, limit, picks }) => {
      const base: BuilderModel = { ...emptyModel(table.name), ...shape, timeFilter, filters: chosen };
      if (language === 'lql') return ofLql(base);
      const outputs = outputsOf(base).map(({ name }) => [name]);
      const orderable = 'columns' in shape ? single.map(({ path }) => path) : outputs;
      const by = new Map(
        orderable.length === 0
          ? []
          : picks.map(({ at, descending }) => [JSON.stringify(orderable[at % orderable.length]), descending])
      );
      const order = [...by].map(([path, descending]) => ({ by: JSON.parse(path) as string[], descending }));
      return canonical(settled({ ...base, order, limit, keepsMissing }));
    });
}

/** A query that opens no record says nothing of rows without one. */
function settled(model: BuilderModel): BuilderModel {
  const opens = [...model.filters, ...model.columns, ...model.groups].some(({ path }) => path.length > 1);
  const reads = model.aggregates.some(({ path }) => path !== null && path.length > 1);
  const isOfRows = model.bucket === null && model.groups.length === 0 && model.aggregates.length === 0;
  const sorts = isOfRows && model.order.some(({ by }) => by.length > 1);
  return opens || reads || sorts ? model : { ...model, keepsMissing: false };
}

/** Charts have buckets, and name nothing. */
function ofLql(model: BuilderModel): BuilderModel {
  const isChart = model.bucket !== null || model.groups.length > 0 || model.aggregates.length > 0;
  if (!isChart) return { ...model, columns: distinct(model.columns) };
  return {
    ...model,
    bucket: { column: 'timestamp', period: model.bucket?.period ?? null },
    groups: distinct(model.groups.map(({ path }) => ({ path }))),
    aggregates: distinct(model.aggregates),
  };
}

function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function filterOf(field: BuilderField, operator: FilterOperator, isPlain: boolean): fc.Arbitrary<BuilderFilter> {
  const isPattern = operator === 'matches' || operator === 'not matches';
  const isList = operator === 'in' || operator === 'not in';
  const count = operator === 'null' || operator === 'not null' ? 0 : 1;
  const value = valueOf(field, isPattern, isPlain);
  return fc
    .array(value, { minLength: count, maxLength: isList ? 3 : count })
    .map((values) => ({ path: field.path, operator, values }));
}

function valueOf({ kind, element }: BuilderField, isPattern: boolean, isPlain: boolean): fc.Arbitrary<FilterValue> {
  const variable = fc
    .constantFrom('$name', '${name}', '${name:raw}')
    .map((text) => ({ kind: 'variable', text }) as const);
  const of = kind === 'list' ? element : kind;
  const literal = ((): fc.Arbitrary<FilterValue> => {
    if (of === 'number')
      return (isPlain ? fc.constantFrom('0', '500', '-1') : NUMBERS).map((text) => ({ kind: 'number', text }));
    if (of === 'bool') return fc.constantFrom('true', 'false').map((text) => ({ kind: 'bool', text }));
    if (of === 'time')
      return fc.constantFrom('2026-03-01', '2026-03-01T08:00:00Z').map((text) => ({ kind: 'text', text }));
    if (isPattern && isPlain)
      return fc.constantFrom('^/rest', "it's", '\\d+"', 'a|b').map((text) => ({ kind: 'text', text }));
    return TEXTS.filter((text) => text !== '' && !isVariable(text) && (!isPlain || isStorable(text))).map((text) => ({
      kind: 'text',
      text,
    }));
  })();
  return isPlain ? literal : fc.oneof(literal, variable);
}

function isVariable(text: string): boolean {
  return /^\$(?:\w+|\{\w+(?::\w+)?\})$/.test(text);
}

/** Without NUL and halves of characters. */
function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

function aliasOf(isPlain: boolean): fc.Arbitrary<string | undefined> {
  if (isPlain) return fc.constant(undefined);
  return fc.option(fc.constantFrom('time', 'a', 'path', 'Events', 'a b', '$x', 'group'), { nil: undefined });
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

/** Columns of every type, records in records, names that need quotes. */
export const ODD_TABLES: readonly DescribedTable[] = [
  {
    name: 'edge_logs',
    columns: [
      column('id', 'STRING'),
      column('timestamp', 'TIMESTAMP'),
      column('event_message', 'STRING'),
      column('project', 'STRING'),
      record('metadata', [
        column('level', 'STRING'),
        column('timestamp', 'TIMESTAMP'),
        column('tags', 'ARRAY<STRING>'),
        record('request', [
          column('path', 'STRING'),
          column('method', 'STRING'),
          record('headers', [column('user-agent', 'STRING'), column('path', 'STRING')]),
        ]),
        record('response', [
          column('status_code', 'INT64'),
          column('origin_time', 'FLOAT64'),
          column('is_cached', 'BOOL'),
        ]),
      ]),
    ],
  },
  {
    name: 'select',
    columns: [
      column('bucket', 'TIMESTAMP'),
      column('timestamp', 'TIMESTAMP'),
      column('requests', 'INT64'),
      column('path', 'STRING'),
    ],
  },
];

function column(name: string, type: string): DescribedColumn {
  return { name, type };
}

function record(name: string, fields: readonly DescribedColumn[]): DescribedColumn {
  return { name, type: 'ARRAY<STRUCT>', fields };
}
