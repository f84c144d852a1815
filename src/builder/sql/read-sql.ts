/**
 * Reads SQL into a builder model, or reports why the builder cannot show it. Accepts what `printSql` prints, in any
 * layout and with other aliases. A text with anything that the model cannot represent is unreadable, so that nothing is
 * lost silently.
 */
import type { DescribedTable } from '#contract/queries/description';
import {
  AGGREGATES,
  CannotRead,
  emptyModel,
  isGrouped,
  PERIOD,
  samePath,
  type BuilderAggregate,
  type BuilderBucket,
  type BuilderColumn,
  type BuilderModel,
  type BuilderOrder,
  type FieldPath,
  type ReadResult,
} from '../model';
import { outputsOf, withOutputNames } from '../outputs';
import { NO_CONDITIONS, readConditions } from './read-sql-filters';
import { readAlias, readColumn, readFrom, readPath, type Scope } from './sql-scope';
import { tokenizeSql } from './sql-tokens';
import { TokenReader } from '../token-reader';

type Item =
  | { readonly kind: 'column'; readonly path: FieldPath; readonly alias?: string }
  | { readonly kind: 'bucket'; readonly bucket: BuilderBucket; readonly alias?: string }
  | { readonly kind: 'aggregate'; readonly aggregate: BuilderAggregate; readonly alias?: string };

/** @param tables of the endpoint, which determine the column names */
export function readSql(text: string, tables: readonly DescribedTable[]): ReadResult {
  try {
    return { model: read(text, tables) };
  } catch (error) {
    if (error instanceof CannotRead) return { why: error.message };
    throw error;
  }
}

function read(text: string, tables: readonly DescribedTable[]): BuilderModel {
  const tokens = tokenizeSql(text);
  if (!tokens)
    throw new CannotRead('It has a quote or a comment that does not end, or a character that SQL does not have.');
  if (tokens.some(({ kind }) => kind === 'comment'))
    throw new CannotRead('It has comments, which the builder would lose.');
  if (tokens.some(({ text: written }) => written === '|>'))
    throw new CannotRead('It has pipe operators (|>), which the builder does not know.');
  const reader = new TokenReader(tokens);
  if (!reader.accept('select')) throw new CannotRead(whyNotSelect(reader));
  if (reader.accept('distinct')) throw new CannotRead('It selects DISTINCT rows. Group by the columns instead.');
  // The select list refers to names of FROM, which follows it.
  const list = reader.mark();
  skipTo(reader, 'from');
  const scope = readFrom(reader, tables);
  const afterFrom = reader.mark();
  reader.back(list);
  const items = reader.accept('*') ? wholeTable(scope) : readItems(reader, scope);
  reader.expect('from');
  reader.back(afterFrom);
  const { timeFilter, filters } = reader.accept('where') ? readConditions(reader, scope) : NO_CONDITIONS;
  const hasKeys = reader.accept('group', 'by');
  const model = modelOf(scope, items, hasKeys);
  const keys = hasKeys ? readKeys(reader, scope, model) : [];
  if (isGrouped(model)) checkKeys(model, keys);
  if (reader.accept('having')) throw new CannotRead('It has HAVING, which the builder does not know.');
  if (reader.accept('qualify')) throw new CannotRead('It has QUALIFY, which the builder does not know.');
  const order = reader.accept('order', 'by') ? readOrder(reader, scope, model, items) : [];
  const limit = reader.accept('limit') ? readLimit(reader) : null;
  reader.accept(';');
  if (!reader.isAtEnd) throw reader.unexpected();
  return checked({ ...model, timeFilter, filters, order, limit }, scope);
}

function whyNotSelect(reader: TokenReader): string {
  if (reader.isAtEnd) return 'It is empty.';
  return reader.accept('with') ? 'It has WITH queries of its own.' : 'It does not begin with SELECT.';
}

function skipTo(reader: TokenReader, word: string): void {
  let depth = 0;
  while (!(depth === 0 && reader.accept(word))) {
    if (reader.isAtEnd) throw new CannotRead('It has no FROM.');
    const { text } = reader.next();
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
  }
}

function wholeTable({ records }: Scope): readonly Item[] {
  if (records.length > 0)
    throw new CannotRead('Beside opened records, * selects their fields too. Write the table before it.');
  return [];
}

function readItems(reader: TokenReader, scope: Scope): readonly Item[] {
  const items: Item[] = [];
  do {
    const place = reader.mark();
    const prefix = reader.acceptName();
    if (prefix !== undefined && reader.accept('.', '*')) {
      const isTable = scope.prefixes.get(prefix.toLowerCase())?.length === 0;
      if (!isTable || items.length > 0 || reader.peek()?.text === ',')
        throw new CannotRead('It selects all columns beside others.');
      return [];
    }
    reader.back(place);
    const item = readItem(reader, scope);
    const alias = readAlias(reader);
    items.push(alias === undefined ? item : { ...item, alias });
  } while (reader.accept(','));
  return items;
}

function readItem(reader: TokenReader, scope: Scope): Item {
  if (reader.acceptMacro('$__timeGroup')) {
    const column = readColumn(reader, scope);
    const period = reader.accept(',') ? reader.next().text.replace(/^(['"])(.*)\1$/, '$2') : null;
    reader.expect(')');
    if (period !== null && !PERIOD.test(period)) throw new CannotRead(`“${period}” is not a period such as 5m.`);
    return { kind: 'bucket', bucket: { column, period } };
  }
  const isCall = reader.peek()?.kind === 'word' && reader.peek(1)?.text === '(';
  if (!isCall) return { kind: 'column', path: readPath(reader, scope) };
  return { kind: 'aggregate', aggregate: readAggregate(reader, scope) };
}

function readAggregate(reader: TokenReader, scope: Scope): BuilderAggregate {
  const name = reader.next().text.toLowerCase();
  reader.expect('(');
  const aggregate = aggregateOf(reader, scope, name);
  reader.expect(')');
  return aggregate;
}

function aggregateOf(reader: TokenReader, scope: Scope, name: string): BuilderAggregate {
  if (name === 'percentile_cont') {
    const path = readPath(reader, scope);
    reader.expect(',');
    const fraction = Number(reader.next().text);
    const percentile = AGGREGATES.find((each) => /^p\d/.test(each) && Number(`0.${each.slice(1)}`) === fraction);
    if (!percentile) throw new CannotRead('The builder knows the percentiles 0.5, 0.9, 0.95 and 0.99.');
    return { name: percentile, path };
  }
  if (name === 'count' && reader.accept('*')) return { name: 'count', path: null };
  if (name === 'count' && reader.accept('distinct')) return { name: 'countd', path: readPath(reader, scope) };
  const known = AGGREGATES.find((each) => each === name && !/^p\d|countd/.test(each));
  if (!known) throw new CannotRead(`The builder does not know ${name.toUpperCase()} in a list of columns.`);
  return { name: known, path: readPath(reader, scope) };
}

/** Indexes of the selected columns in GROUP BY, given by name, ordinal or expression. */
function readKeys(reader: TokenReader, scope: Scope, model: BuilderModel): readonly number[] {
  const keys: number[] = [];
  do keys.push(readKey(reader, scope, model));
  while (reader.accept(','));
  return keys;
}

function readKey(reader: TokenReader, scope: Scope, model: BuilderModel): number {
  const first = model.bucket ? 1 : 0;
  const token = reader.peek();
  if (token?.kind === 'number') return Number(reader.next().text) - 1;
  if (token?.text === '$__timeGroup') {
    const item = readItem(reader, scope);
    const isSame =
      item.kind === 'bucket' &&
      item.bucket.column === model.bucket?.column &&
      item.bucket.period === model.bucket.period;
    return isSame ? 0 : -1;
  }
  const isBare = reader.peek(1)?.text !== '.';
  const place = reader.mark();
  const name = reader.acceptName();
  const named = isBare ? outputsOf(model).findIndex((each) => each.name.toLowerCase() === name?.toLowerCase()) : -1;
  if (named !== -1) return named;
  reader.back(place);
  const path = readPath(reader, scope);
  const group = model.groups.findIndex((each) => samePath(each.path, path));
  return group === -1 ? -1 : first + group;
}

function modelOf(scope: Scope, items: readonly Item[], hasKeys: boolean): BuilderModel {
  const base = { ...emptyModel(scope.table.name), keepsMissing: scope.keepsMissing };
  const isOfGroups = hasKeys || items.some(({ kind }) => kind !== 'column');
  if (!isOfGroups) return withNames({ ...base, columns: items.map(columnOf) }, items);
  if (items.length === 0) throw new CannotRead('It selects all columns of groups.');
  const order = ['bucket', 'column', 'aggregate'];
  const isInOrder = items.every(
    ({ kind }, at) => at === 0 || order.indexOf(items[at - 1]!.kind) <= order.indexOf(kind)
  );
  const buckets = items.filter((item) => item.kind === 'bucket');
  if (!isInOrder || buckets.length > 1)
    throw new CannotRead('Its columns are in another order than the builder’s: the time, groups, aggregates.');
  return withNames(
    {
      ...base,
      bucket: buckets[0]?.bucket ?? null,
      groups: items.filter(({ kind }) => kind === 'column').map(columnOf),
      aggregates: items.flatMap((item) => (item.kind === 'aggregate' ? [item.aggregate] : [])),
    },
    items
  );
}

function columnOf(item: Item): BuilderColumn {
  return { path: item.kind === 'column' ? item.path : [] };
}

/** Gives columns without a writable name their default name. */
function withNames(model: BuilderModel, items: readonly Item[]): BuilderModel {
  const taken = new Set<string>();
  const names = items.map((item) => {
    const name = nameOf(item);
    if (name === undefined || (item.alias === undefined && taken.has(name.toLowerCase()))) return undefined;
    taken.add(name.toLowerCase());
    return name;
  });
  return withOutputNames(model, names);
}

function nameOf(item: Item): string | undefined {
  return item.alias ?? (item.kind === 'column' ? item.path[item.path.length - 1] : undefined);
}

/** GROUP BY must contain each bucket and group once. */
function checkKeys(model: BuilderModel, keys: readonly number[]): void {
  const count = (model.bucket ? 1 : 0) + model.groups.length;
  const isComplete = keys.length === count && new Set(keys).size === count;
  if (!isComplete || !keys.every((at) => at >= 0 && at < count))
    throw new CannotRead('It groups by something else than the columns that it selects.');
}

function readOrder(
  reader: TokenReader,
  scope: Scope,
  model: BuilderModel,
  items: readonly Item[]
): readonly BuilderOrder[] {
  const order: BuilderOrder[] = [];
  do {
    const by = isGrouped(model) ? [readOutput(reader, model)] : readOrderedColumn(reader, scope, items);
    const descending = reader.accept('desc');
    if (!descending) reader.accept('asc');
    if (reader.peek()?.text.toLowerCase() === 'nulls') throw new CannotRead('It says where NULL is sorted.');
    order.push({ by, descending });
  } while (reader.accept(','));
  return order;
}

function readOutput(reader: TokenReader, model: BuilderModel): string {
  const written = reader.name();
  const found = outputsOf(model).find(({ name }) => name.toLowerCase() === written.toLowerCase());
  if (!found || reader.peek()?.text === '.') throw new CannotRead('It sorts by something that it does not select.');
  return found.name;
}

/** ORDER BY prefers names of the select list to those of the table. */
function readOrderedColumn(reader: TokenReader, scope: Scope, items: readonly Item[]): FieldPath {
  const token = reader.peek();
  const isBare = reader.peek(1)?.text !== '.';
  const named = isBare && token && items.find((item) => nameOf(item)?.toLowerCase() === token.text.toLowerCase());
  if (named && named.kind === 'column') {
    reader.next();
    return named.path;
  }
  return readPath(reader, scope);
}

function readLimit(reader: TokenReader): number {
  const { kind, text } = reader.next();
  if (kind !== 'number' || !/^\d{1,9}$/.test(text)) throw new CannotRead('Its LIMIT is not a whole number.');
  if (reader.accept('offset')) throw new CannotRead('It has OFFSET, which the builder does not know.');
  return Number(text);
}

/** Requires that every opened record is used: an unused one may drop or repeat rows. */
function checked(model: BuilderModel, { records }: Scope): BuilderModel {
  const used = [
    ...[...model.filters, ...model.columns, ...model.groups].map(({ path }) => path),
    ...model.aggregates.map(({ path }) => path ?? []),
    ...(isGrouped(model) ? [] : model.order.map(({ by }) => by)),
  ];
  const isUsed = (record: FieldPath) =>
    used.some((path) => path.length > record.length && samePath(path.slice(0, record.length), record));
  if (!records.every(isUsed)) throw new CannotRead('It opens a record whose fields it does not use.');
  return model;
}
