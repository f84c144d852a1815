/** Reads the conditions of WHERE and their values. */
import {
  CannotRead,
  comparesWithNothing,
  NUMBER,
  VARIABLE,
  type BuilderFilter,
  type BuilderModel,
  type FilterValue,
} from '../model';
import { readColumn, readPath, type Scope } from './sql-scope';
import type { TokenReader } from '../token-reader';

export const NO_CONDITIONS = { timeFilter: null, filters: [] } as const;

export function readConditions(reader: TokenReader, scope: Scope): Pick<BuilderModel, 'timeFilter' | 'filters'> {
  let timeFilter: string | null = null;
  const filters: BuilderFilter[] = [];
  do {
    if (reader.acceptMacro('$__timeFilter')) {
      if (timeFilter !== null) throw new CannotRead('It has two time filters.');
      timeFilter = readColumn(reader, scope);
      reader.expect(')');
    } else filters.push(readFilter(reader, scope));
    if (reader.accept('or')) throw new CannotRead('It has OR. The builder joins filters with AND only.');
  } while (reader.accept('and'));
  return { timeFilter, filters };
}

const COMPARISONS: Readonly<Record<string, BuilderFilter['operator']>> = {
  '=': '=',
  '!=': '!=',
  '<>': '!=',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
};

function readFilter(reader: TokenReader, scope: Scope): BuilderFilter {
  if (reader.peek()?.text === '(') throw new CannotRead('It has conditions in parentheses.');
  const isNegated = reader.accept('not');
  if (reader.accept('regexp_contains', '(')) {
    const path = readPath(reader, scope);
    reader.expect(',');
    const value = readValue(reader);
    reader.expect(')');
    return { path, operator: isNegated ? 'not matches' : 'matches', values: [value] };
  }
  if (isNegated) throw new CannotRead('It has NOT before a condition.');
  if (reader.accept('strpos', '(')) return readContains(reader, scope);
  const place = reader.mark();
  const value = acceptValue(reader);
  if (value) {
    const operator = reader.accept('not') ? 'not includes' : 'includes';
    if (!reader.accept('in', 'unnest', '(')) {
      reader.back(place);
      throw reader.unexpected();
    }
    const path = readPath(reader, scope);
    reader.expect(')');
    return { path, operator, values: [value] };
  }
  if (reader.peek()?.kind === 'word' && reader.peek(1)?.text === '(')
    throw new CannotRead(`The builder does not know ${reader.peek()!.text.toUpperCase()} in a filter.`);
  const path = readPath(reader, scope);
  if (reader.accept('is', 'null')) return { path, operator: 'null', values: [] };
  if (reader.accept('is', 'not', 'null')) return { path, operator: 'not null', values: [] };
  if (reader.accept('in', '(')) return { path, operator: 'in', values: readList(reader) };
  if (reader.accept('not', 'in', '(')) return { path, operator: 'not in', values: readList(reader) };
  const token = reader.peek();
  const operator = token?.kind === 'operator' ? COMPARISONS[token.text] : undefined;
  if (!operator) throw reader.unexpected();
  reader.next();
  return { path, operator, values: [readValue(reader)] };
}

/** Reads `strpos(path, value) > 0`, or `= 0`. */
function readContains(reader: TokenReader, scope: Scope): BuilderFilter {
  const path = readPath(reader, scope);
  reader.expect(',');
  const value = readValue(reader);
  reader.expect(')');
  const operator = reader.accept('>') ? 'contains' : reader.accept('=') ? 'not contains' : undefined;
  if (!operator || reader.next().text !== '0') throw new CannotRead('The builder knows STRPOS with > 0 and = 0 only.');
  return { path, operator, values: [value] };
}

function readList(reader: TokenReader): readonly FilterValue[] {
  const values: FilterValue[] = [];
  do values.push(readValue(reader));
  while (reader.accept(','));
  reader.expect(')');
  return values;
}

function readValue(reader: TokenReader): FilterValue {
  const value = acceptValue(reader);
  if (!value) throw new CannotRead('It compares with something that is not a value.');
  return value;
}

function acceptValue(reader: TokenReader): FilterValue | undefined {
  const token = reader.peek();
  if (token?.kind === 'string') {
    if (/\$\w|\$\{|\[\[/.test(token.text)) throw new CannotRead('It has a variable inside quotes.');
    if (token.value === '') throw comparesWithNothing();
    reader.next();
    return { kind: 'text', text: token.value };
  }
  if (token?.kind === 'variable') {
    if (!VARIABLE.test(token.text)) throw new CannotRead(`The builder does not know ${token.text} as a value.`);
    reader.next();
    return { kind: 'variable', text: token.text };
  }
  if (token?.kind === 'word' && /^(true|false)$/i.test(token.text)) {
    reader.next();
    return { kind: 'bool', text: token.text.toLowerCase() };
  }
  const isNegative = token?.text === '-' && reader.peek(1)?.kind === 'number';
  if (!isNegative && token?.kind !== 'number') return undefined;
  if (isNegative) reader.next();
  const text = `${isNegative ? '-' : ''}${reader.next().text}`;
  if (!NUMBER.test(text)) throw new CannotRead(`The builder does not write numbers as ${text}.`);
  return { kind: 'number', text };
}
