/** Initial queries of the builder, and the effects of a change on other parts of the query. */
import type { DescribedTable } from '#contract/queries/description';
import { fieldsOf, isGroupable, operatorsOf, type BuilderField, type BuilderLanguage } from './fields';
import { emptyModel, isGrouped, samePath, type BuilderFilter, type BuilderModel, type FieldPath } from './model';
import { canonical, outputsOf } from './outputs';
import { recordsOf } from './sql/print-sql';

const ROWS = 100;
const SHOWN = ['timestamp', 'event_message', 'metadata'];

/** The newest rows of a table in the panel's time range. */
export function newestRows(table: DescribedTable, language: BuilderLanguage): BuilderModel {
  const time = timeColumnOf(table);
  const names = SHOWN.filter((name) => table.columns.some((each) => each.name === name));
  const model = { ...emptyModel(table.name), timeFilter: time ?? null };
  if (language === 'lql') return model;
  return {
    ...model,
    columns: names.length === SHOWN.length ? names.map((name) => ({ path: [name] })) : [],
    order: time === undefined ? [] : [{ by: [time], descending: true }],
    limit: ROWS,
  };
}

/** The number of rows over time. */
export function counts(model: BuilderModel, table: DescribedTable, language: BuilderLanguage): BuilderModel {
  const time = timeColumnOf(table);
  const bucket = time === undefined ? null : { column: time, period: null };
  return withoutLostOrder({
    ...model,
    columns: [],
    bucket,
    aggregates: [{ name: 'count', path: null }],
    order: language === 'sql' && bucket ? [{ by: ['time'], descending: false }] : [],
    limit: null,
  });
}

/** Switches from groups to rows and keeps filters. */
export function rows(model: BuilderModel, table: DescribedTable, language: BuilderLanguage): BuilderModel {
  const { columns, order, limit } = newestRows(table, language);
  return { ...model, bucket: null, groups: [], aggregates: [], columns, order, limit };
}

/** Switches to another table: keeps filters on fields that it has, and resets the rest. */
export function onTable(model: BuilderModel, table: DescribedTable, language: BuilderLanguage): BuilderModel {
  const fields = fieldsOf(table.columns);
  const has = (path: FieldPath) => fields.some((each) => samePath(each.path, path));
  const filters = model.filters.filter(({ path }) => has(path));
  const begun = { ...newestRows(table, language), filters };
  if (!isGrouped(model)) return begun;
  return counts({ ...begun, groups: model.groups.filter(({ path }) => has(path)) }, table, language);
}

/** Time column for macros. */
export function timeColumnOf({ columns }: DescribedTable): string | undefined {
  const times = columns.filter(({ type }) => type === 'TIMESTAMP').map(({ name }) => name);
  return times.includes('timestamp') ? 'timestamp' : times[0];
}

/** Completes a model for printing: drops filters without a value and updates references to renamed columns. */
export function complete(model: BuilderModel): BuilderModel {
  const filters = model.filters.filter(isComplete);
  const opens = recordsOf({ ...model, filters }).length > 0;
  return canonical(withoutLostOrder({ ...model, filters, keepsMissing: model.keepsMissing && opens }));
}

export function isComplete({ operator, values }: BuilderFilter): boolean {
  const isNull = operator === 'null' || operator === 'not null';
  return isNull || (values.length > 0 && values.every(({ text }) => text !== ''));
}

/** Removes sort keys of result columns that no longer exist. */
function withoutLostOrder(model: BuilderModel): BuilderModel {
  if (!isGrouped(model)) return model;
  const names = outputsOf(model).map(({ name }) => name);
  return { ...model, order: model.order.filter(({ by }) => names.includes(by[0]!)) };
}

/** A filter on a field that keeps as much as possible of an earlier filter on another field. */
export function filterOn(field: BuilderField, language: BuilderLanguage, earlier?: BuilderFilter): BuilderFilter {
  const operators = operatorsOf(field, language);
  const operator = earlier && operators.includes(earlier.operator) ? earlier.operator : operators[0]!;
  return { path: field.path, operator, values: [] };
}

export function filterFields(table: DescribedTable, language: BuilderLanguage): readonly BuilderField[] {
  return fieldsOf(table.columns).filter((each) => operatorsOf(each, language).length > 0);
}

export function groupFields(table: DescribedTable, language: BuilderLanguage): readonly BuilderField[] {
  return fieldsOf(table.columns).filter((each) => isGroupable(each, language));
}
