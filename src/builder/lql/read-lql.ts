/** Reads LQL into a builder model, or reports why the builder cannot show it. */
import { readLqlWords } from '#compiler/browser';
import { unescapeVariables } from '#contract/plugin/literal-text';
import type { DescribedTable } from '#contract/queries/description';
import {
  AGGREGATES,
  CannotRead,
  comparesWithNothing,
  emptyModel,
  isGrouped,
  NUMBER,
  PERIOD,
  VARIABLE,
  type BuilderBucket,
  type BuilderFilter,
  type BuilderModel,
  type FieldPath,
  type FilterOperator,
  type FilterValue,
  type ReadResult,
} from '../model';

/** @param tables of the endpoint; a text without a table reads the only one, or `defaultTable` */
export function readLql(text: string, tables: readonly DescribedTable[], defaultTable?: string): ReadResult {
  try {
    return { model: new LqlReader(text, tables).read(defaultTable) };
  } catch (error) {
    if (error instanceof CannotRead) return { why: error.message };
    throw error;
  }
}

type Draft = { -readonly [K in keyof BuilderModel]: BuilderModel[K] };

/** Before another operator these are names of columns. */
const FROM = /(?:from|f):(?!!=|@>|[<>~])/y;
const SELECT = /(?:select|s):(?!!=|@>|[<>~])/y;
const CHART = /(?:chart|c):(?!!=|@>|[<>~])/y;
const PERIODS: Readonly<Record<string, string>> = {
  ...{ second: '1s', s: '1s', minute: '1m', m: '1m', hour: '1h', h: '1h', day: '1d', d: '1d' },
};
const COMPARISONS: Readonly<Record<string, FilterOperator>> = {
  '': '=',
  '!=': '!=',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
  '@>': 'includes',
};
const NEGATED: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  '=': '!=',
  '!=': '=',
  contains: 'not contains',
  matches: 'not matches',
  in: 'not in',
  'not in': 'in',
  includes: 'not includes',
  null: 'not null',
  'not null': 'null',
};
const MESSAGE: FieldPath = ['event_message'];

class LqlReader {
  private offset = 0;

  constructor(
    private readonly text: string,
    private readonly tables: readonly DescribedTable[]
  ) {}

  read(defaultTable: string | undefined): BuilderModel {
    const model: Draft = emptyModel('');
    this.match(/\s*/y);
    if (this.isAtEnd) throw new CannotRead('It is empty.');
    while (!this.isAtEnd) {
      this.readClause(model);
      if (!this.isAtEnd && this.match(/\s+/y) === undefined) throw this.unexpected();
    }
    const isChart = isGrouped(model);
    if (isChart && model.columns.length > 0) throw new CannotRead('It selects columns beside a chart.');
    if (isChart) model.bucket ??= { column: 'timestamp', period: '1m' };
    return { ...model, table: this.tableOf(model.table || defaultTable) };
  }

  private readClause(model: Draft): void {
    if (this.match(/\$__timeFilter(?!\w)/y) !== undefined) {
      if (model.timeFilter !== null) throw new CannotRead('It has two time filters.');
      model.timeFilter = 'timestamp';
    } else if (this.match(FROM) !== undefined) {
      if (model.table) throw new CannotRead('It names two tables.');
      model.table = this.quoted() ?? this.word(/\w+/y);
    } else if (this.match(SELECT) !== undefined) this.readSelect(model);
    else if (this.match(CHART) !== undefined) {
      const bucket = this.readChart(model);
      if (bucket && model.bucket !== null) throw new CannotRead('It groups by two periods.');
      if (bucket) model.bucket = bucket;
    } else model.filters = [...model.filters, this.readFilter()];
  }

  private tableOf(name: string | undefined): string {
    if (name === undefined && this.tables.length === 1) return this.tables[0]!.name;
    if (name === undefined) throw new CannotRead('It does not name its table: begin with f:.');
    const table = this.tables.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (!table) throw new CannotRead(`“${name}” is not a table of this endpoint.`);
    return table.name;
  }

  private readSelect(model: Draft): void {
    if (this.match(/\*(?=\s|$)/y) !== undefined) {
      if (readLqlWords(this.text).filter(({ keyword }) => keyword === 'select').length > 1)
        throw new CannotRead('It selects all columns beside others.');
      return;
    }
    const path = this.path();
    const alias = this.match(/@\w+/y)?.slice(1);
    model.columns = [...model.columns, { path, ...(alias === undefined ? {} : { alias }) }];
  }

  /** Returns the bucket if the clause is one. */
  private readChart(model: Draft): BuilderBucket | undefined {
    const name = this.match(/\w+\(/y)?.slice(0, -1);
    if (name === 'group_by') {
      if (this.match(/\$__timeGroup\)/y) !== undefined) return { column: 'timestamp', period: null };
      const period = this.match(/t::\w+/y)?.slice(3);
      if (period === undefined) model.groups = [...model.groups, { path: this.path() }];
      this.match(/\)/y, true);
      if (period === undefined) return undefined;
      const known = PERIODS[period] ?? (PERIOD.test(period) ? period : undefined);
      if (known === undefined) throw new CannotRead(`The builder does not know the period ${period}.`);
      return { column: 'timestamp', period: known };
    }
    const aggregate = AGGREGATES.find((each) => each === name);
    if (!aggregate) throw new CannotRead(`The builder does not know the aggregate ${name ?? ''}.`);
    const path = this.match(/\*/y) !== undefined ? null : this.path();
    if (path === null && aggregate !== 'count') throw new CannotRead('It counts different times.');
    this.match(/\)/y, true);
    model.aggregates = [...model.aggregates, { name: aggregate, path }];
    return undefined;
  }

  private readFilter(): BuilderFilter {
    const isNegated = this.match(/-(?=\S)/y) !== undefined;
    const negate = (filter: BuilderFilter): BuilderFilter => {
      if (!isNegated) return filter;
      const operator = NEGATED[filter.operator];
      if (!operator) throw new CannotRead(`The builder does not negate ${filter.operator}.`);
      return { ...filter, operator };
    };
    if (this.match(/~/y) !== undefined) return negate({ path: MESSAGE, operator: 'matches', values: [this.regex()] });
    const quoted = this.variable() ?? this.quotedText();
    if (quoted) return negate({ path: MESSAGE, operator: 'contains', values: [quoted] });
    const start = this.offset;
    const path = this.tryPath();
    if (!path || this.match(/:/y) === undefined) {
      this.offset = start;
      return negate({ path: MESSAGE, operator: 'contains', values: [{ kind: 'text', text: this.plain() }] });
    }
    if (path.length === 1 && (path[0] === 't' || path[0] === 'timestamp'))
      throw new CannotRead('It has a time filter of its own.');
    return negate(this.readTest(path));
  }

  private readTest(path: FieldPath): BuilderFilter {
    if (this.match(/~/y) !== undefined) return { path, operator: 'matches', values: [this.regex()] };
    if (this.match(/@>~/y) !== undefined) throw new CannotRead('The builder does not know the operator :@>~.');
    const list = this.match(/(?:!=)?in\(/y);
    if (list !== undefined) return { path, operator: list === 'in(' ? 'in' : 'not in', values: this.list() };
    const operator = COMPARISONS[this.match(/>=|<=|!=|@>|>|<|/y) ?? ''] ?? '=';
    const isNull = this.match(/NULL(?=\s|$)/y) !== undefined;
    if (isNull && operator === '=') return { path, operator: 'null', values: [] };
    if (isNull && operator === '!=') return { path, operator: 'not null', values: [] };
    if (isNull) throw this.unexpected();
    return { path, operator, values: [this.value(/[^\s"]+/y)] };
  }

  private list(): readonly FilterValue[] {
    const values: FilterValue[] = [];
    do values.push(this.value(/[^\s",()]+/y));
    while (this.match(/,/y) !== undefined);
    this.match(/\)/y, true);
    return values;
  }

  private value(bare: RegExp): FilterValue {
    const found = this.variable() ?? this.quotedText();
    if (found) return found;
    if (this.text.charAt(this.offset) === '(') throw new CannotRead('A value stands in parentheses.');
    const text = this.word(bare);
    if (text.includes('..')) throw new CannotRead('It has a range of values. Write two filters.');
    if (/\$|\[\[/.test(text)) throw new CannotRead('It has a variable inside a value.');
    if (NUMBER.test(text)) return { kind: 'number', text };
    return { kind: text === 'true' || text === 'false' ? 'bool' : 'text', text };
  }

  private regex(): FilterValue {
    return this.variable() ?? this.quotedText() ?? { kind: 'text', text: this.plain() };
  }

  /** Reads a word up to white space. */
  private plain(): string {
    const start = this.offset;
    const text = this.word(/[^\s"\\]+/y);
    if (!text.includes(':') && !/\$|\[\[/.test(text)) return text;
    this.offset = start;
    throw this.unexpected();
  }

  private variable(): FilterValue | undefined {
    const text = this.match(/(?:\$(?!__)\w+|\$\{(?!__)\w+(?::\w+)?\})(?=[\s,)]|$)/y);
    return text !== undefined && VARIABLE.test(text) ? { kind: 'variable', text } : undefined;
  }

  private quotedText(): FilterValue | undefined {
    const text = this.quoted();
    if (text === undefined) return undefined;
    if (text === '') throw comparesWithNothing();
    return { kind: 'text', text };
  }

  private quoted(): string | undefined {
    const written = this.match(/"(?:\\["\\]|\\(?!["\\])|[^"\\])*"/y);
    if (written === undefined) return undefined;
    if (/\$\w|\$\{(?!__(?:dollar|bracket)\})|\[\[\w/.test(written))
      throw new CannotRead('It has a variable inside quotes.');
    return unescapeVariables(written.slice(1, -1).replace(/\\(["\\])/g, '$1'));
  }

  private path(): FieldPath {
    const path = this.tryPath();
    if (!path) throw this.unexpected();
    return path;
  }

  /** Consumes nothing if there is no path here. */
  private tryPath(): FieldPath | undefined {
    const start = this.offset;
    const names: string[] = [];
    do {
      const name = this.match(/[A-Za-z_]\w*/y) ?? (names.length > 0 || this.isInBrackets ? this.quoted() : undefined);
      if (!name) {
        this.offset = start;
        return undefined;
      }
      names.push(name);
    } while (this.match(/\./y) !== undefined);
    const isShort = names[0] === 'm' && names.length > 1 && this.text.charAt(start) !== '"';
    return isShort ? ['metadata', ...names.slice(1)] : names;
  }

  private get isInBrackets(): boolean {
    return /(?:\(|s:|select:)$/.test(this.text.slice(Math.max(0, this.offset - 'select:'.length), this.offset));
  }

  private word(pattern: RegExp): string {
    const found = this.match(pattern);
    if (!found) throw this.unexpected();
    return found;
  }

  private get isAtEnd(): boolean {
    return this.offset >= this.text.length;
  }

  private match(pattern: RegExp, isNeeded = false): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined && isNeeded) throw this.unexpected();
    this.offset += found?.length ?? 0;
    return found;
  }

  private unexpected(): CannotRead {
    const rest = /^\S{1,20}/.exec(this.text.slice(this.offset))?.[0];
    return new CannotRead(rest ? `The builder does not know what “${rest}” means at its place.` : 'It ends too early.');
  }
}
