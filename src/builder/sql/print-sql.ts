/**
 * Prints a model as SQL with UNNEST for records and macros for time range and buckets. Reading the text gives the same
 * model.
 */
import {
  isGrouped,
  samePath,
  type BuilderAggregate,
  type BuilderFilter,
  type BuilderModel,
  type FieldPath,
  type FilterValue,
} from '../model';
import { outputsOf } from '../outputs';
import { printName, printString } from './sql-tokens';

const WIDTH = 80;

/** Aliases of opened records by path; `metadata` is `m`, and records below it begin with `m_`. */
export type RecordNames = ReadonlyArray<{ readonly path: FieldPath; readonly name: string }>;

export function printSql(model: BuilderModel): string {
  const records = recordsOf(model);
  const field = (path: FieldPath) => printField(path, records);
  const outputs = outputsOf(model);
  const named = (at: number, text: string) => {
    const { name, bare } = outputs[at]!;
    return name === bare ? text : `${text} as ${printName(name)}`;
  };
  const isOfGroups = isGrouped(model);
  const keys = [...(model.bucket ? [printBucket(model.bucket)] : []), ...model.groups.map(({ path }) => field(path))];
  const items = isOfGroups
    ? [...keys, ...model.aggregates.map((each) => printAggregate(each, field))]
    : model.columns.map(({ path }) => field(path));
  const everything = records.length > 0 ? `${printName(model.table)}.*` : '*';
  const conditions = [
    ...(model.timeFilter === null ? [] : [`$__timeFilter(${printName(model.timeFilter)})`]),
    ...model.filters.map((filter) => printFilter(filter, field)),
  ];
  const order = model.order.map(({ by, descending }) => {
    const isShadowed = !isOfGroups && by.length === 1 && outputs.some(({ name }, at) => isOther(name, at, by, model));
    const text = isOfGroups ? printName(by[0]!) : `${isShadowed ? `${printName(model.table)}.` : ''}${field(by)}`;
    return `${text}${descending ? ' desc' : ''}`;
  });
  return [
    listed('select', items.length === 0 ? [everything] : items.map((text, at) => named(at, text)), ','),
    `from ${printName(model.table)}`,
    ...records.map(
      ({ path, name }) =>
        `  ${model.keepsMissing ? 'left' : 'cross'} join unnest(${printField(path, records)}) as ${printName(name)}`
    ),
    ...(conditions.length === 0 ? [] : [`where ${conditions.join('\n  and ')}`]),
    ...(keys.length === 0
      ? []
      : [
          `group by ${outputs
            .slice(0, keys.length)
            .map(({ name }) => printName(name))
            .join(', ')}`,
        ]),
    ...(order.length === 0 ? [] : [`order by ${order.join(', ')}`]),
    ...(model.limit === null ? [] : [`limit ${model.limit}`]),
  ].join('\n');
}

/** Records on the paths of the model, parents first. */
export function recordsOf(model: BuilderModel): RecordNames {
  const used = [
    ...model.filters.map(({ path }) => path),
    ...model.columns.map(({ path }) => path),
    ...model.groups.map(({ path }) => path),
    ...model.aggregates.map(({ path }) => path ?? []),
    ...(isGrouped(model) ? [] : model.order.map(({ by }) => by)),
  ];
  const records: Array<{ readonly path: FieldPath; readonly name: string }> = [];
  for (const path of used)
    for (let length = 1; length < path.length; length++) {
      const record = path.slice(0, length);
      if (!records.some((each) => samePath(each.path, record)))
        records.push({ path: record, name: freeName(record, [model.table, ...records.map(({ name }) => name)]) });
    }
  return records.sort((a, b) => a.path.length - b.path.length);
}

function freeName(path: FieldPath, taken: readonly string[]): string {
  const parts = path[0] === 'metadata' ? ['m', ...path.slice(1)] : path;
  const name = parts.join('_').replace(/\W/g, '_');
  const isFree = (each: string) => !taken.some((other) => other.toLowerCase() === each.toLowerCase());
  if (isFree(name)) return name;
  let number = 2;
  while (!isFree(`${name}_${number}`)) number++;
  return `${name}_${number}`;
}

/** Whether ORDER BY would refer to a result column instead of the intended one. */
function isOther(name: string, at: number, by: FieldPath, { columns }: BuilderModel): boolean {
  return name.toLowerCase() === by[0]!.toLowerCase() && !samePath(columns[at]!.path, by);
}

function printField(path: FieldPath, records: RecordNames): string {
  const record = records.find((each) => samePath(each.path, path.slice(0, -1)));
  const name = path[path.length - 1] ?? '';
  return record ? `${printName(record.name)}.${printName(name)}` : printName(name);
}

function printBucket({ column, period }: NonNullable<BuilderModel['bucket']>): string {
  return `$__timeGroup(${printName(column)}${period === null ? '' : `, ${period}`})`;
}

function printAggregate({ name, path }: BuilderAggregate, field: (path: FieldPath) => string): string {
  const argument = path === null ? '*' : field(path);
  if (name === 'countd') return `count(distinct ${argument})`;
  const percentile = /^p(\d+)$/.exec(name)?.[1];
  return percentile ? `percentile_cont(${argument}, 0.${percentile.replace(/0$/, '')})` : `${name}(${argument})`;
}

function printFilter({ path, operator, values }: BuilderFilter, field: (path: FieldPath) => string): string {
  const column = field(path);
  const all = values.map(printValue);
  const [value = ''] = all;
  switch (operator) {
    case 'contains':
      return `strpos(${column}, ${value}) > 0`;
    case 'not contains':
      return `strpos(${column}, ${value}) = 0`;
    case 'matches':
      return `regexp_contains(${column}, ${value})`;
    case 'not matches':
      return `not regexp_contains(${column}, ${value})`;
    case 'in':
    case 'not in':
      return `${column} ${operator} (${all.join(', ')})`;
    case 'includes':
      return `${value} in unnest(${column})`;
    case 'not includes':
      return `${value} not in unnest(${column})`;
    case 'null':
      return `${column} is null`;
    case 'not null':
      return `${column} is not null`;
    default:
      return `${column} ${operator} ${value}`;
  }
}

function printValue({ kind, text }: FilterValue): string {
  return kind === 'text' ? printString(text) : text;
}

/** Prints a list on one line if it fits. */
function listed(word: string, items: readonly string[], separator: string): string {
  const line = `${word} ${items.join(`${separator} `)}`;
  return line.length <= WIDTH ? line : `${word}\n  ${items.join(`${separator}\n  `)}`;
}
