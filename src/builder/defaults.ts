/** The queries that the builder begins with, and what a change of one part does to the others. */
import type { DescribedTable } from '#contract/description';
import { fieldsOf, isGroupable, operatorsOf, type BuilderField, type BuilderLanguage } from './fields';
import { emptyModel, isGrouped, samePath, type BuilderFilter, type BuilderModel, type FieldPath } from './model';
import { canonical, outputsOf } from './outputs';
import { recordsOf } from './print-sql';

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

/** How many rows there are over time. */
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

/** Rows instead of groups: filters stay. */
export function rows(model: BuilderModel, table: DescribedTable, language: BuilderLanguage): BuilderModel {
  const { columns, order, limit } = newestRows(table, language);
  return { ...model, bucket: null, groups: [], aggregates: [], columns, order, limit };
}

/** Another table: filters of fields that it has stay, all else begins as its default does. */
export function onTable(model: BuilderModel, table: DescribedTable, language: BuilderLanguage): BuilderModel {
  const fields = fieldsOf(table.columns);
  const has = (path: FieldPath) => fields.some((each) => samePath(each.path, path));
  const filters = model.filters.filter(({ path }) => has(path));
  const begun = { ...newestRows(table, language), filters };
  if (!isGrouped(model)) return begun;
  return counts({ ...begun, groups: model.groups.filter(({ path }) => has(path)) }, table, language);
}

/** The column that time macros are about. */
export function timeColumnOf({ columns }: DescribedTable): string | undefined {
  const times = columns.filter(({ type }) => type === 'TIMESTAMP').map(({ name }) => name);
  return times.includes('timestamp') ? 'timestamp' : times[0];
}

/** What can be printed: without filters that lack a value, and names that changed with what they named. */
export function complete(model: BuilderModel): BuilderModel {
  const filters = model.filters.filter(isComplete);
  const opens = recordsOf({ ...model, filters }).length > 0;
  return canonical(withoutLostOrder({ ...model, filters, keepsMissing: model.keepsMissing && opens }));
}

export function isComplete({ operator, values }: BuilderFilter): boolean {
  const isNull = operator === 'null' || operator === 'not null';
  return isNull || (values.length > 0 && values.every(({ text }) => text !== ''));
}

/** Groups are sorted by result columns, which may have been removed or renamed. */
function withoutLostOrder(model: BuilderModel): BuilderModel {
  if (!isGrouped(model)) return model;
  const names = outputsOf(model).map(({ name }) => name);
  return { ...model, order: model.order.filter(({ by }) => names.includes(by[0]!)) };
}

/** A filter on a field, with what the earlier one of another field said as far as it fits. */
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
