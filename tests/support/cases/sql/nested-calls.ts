/**
 * Each function and operator within itself, in each of its arguments. Functions are those of the registry, with the
 * arguments of their examples and cases; an argument is replaced by the call of before, converted to its type.
 */
import { FUNCTION_FAMILIES } from '#compiler/functions/catalog';
import { tokenize } from '#compiler/sql/lexer/tokenize';
import { readDocumentedFunctions } from '../../docs/documented-functions';
import { readFunctionCases } from './functions';
import { NESTED_OPERATORS } from './nested-operators';

/** Name of the type of an expression; undefined: it is not valid. */
export type TypeOf = (expression: string, from: string) => string | undefined;

export interface NestedCall {
  readonly name: string;
  readonly from: string;
  /** The call within itself. */
  readonly at: (depth: number) => string;
}

/** A column of each type, of a list, so that nothing is computed while compiling. */
const COLUMNS: Readonly<Record<string, readonly [name: string, value: string]>> = {
  STRING: ['s_', "'abc'"],
  INT64: ['n_', '12'],
  FLOAT64: ['f_', '1.5'],
  BOOL: ['b_', 'true'],
  BYTES: ['y_', "b'ab'"],
  TIMESTAMP: ['t_', "timestamp '2026-03-01 10:00:00'"],
  DATETIME: ['dt_', "datetime '2026-03-01 10:00:00'"],
  DATE: ['d_', "date '2026-03-01'"],
  TIME: ['tm_', "time '10:00:00'"],
  'ARRAY<STRING>': ['l_', "['a', 'b']"],
};

const ROW = Object.values(COLUMNS).map(([name, value]) => `${value} as ${name}`);
const FROM = `unnest([struct(${ROW.join(', ')})]) as row_`;

/** Calls of one function that are nested; more of them differ in their constants. */
const MAX_CALLS = 20;

/** Nests of functions, by family. */
export function nestedFunctions(typeOf: TypeOf): readonly (readonly [family: string, nests: readonly NestedCall[]])[] {
  const calls = writtenCalls();
  return FUNCTION_FAMILIES.map(({ title, functions }) => {
    const scalar = functions.filter(({ kind }) => kind === 'scalar');
    const written = scalar.flatMap(({ names }) =>
      calls.filter(({ name }) => names.includes(name)).slice(0, names.includes('FORMAT') ? undefined : MAX_CALLS)
    );
    return [title, distinctNests(written.flatMap((call) => nestsOf(call, typeOf)))] as const;
  }).filter(([, nests]) => nests.length > 0);
}

export function nestedOperators(typeOf: TypeOf): readonly NestedCall[] {
  return NESTED_OPERATORS.flatMap(([text, type]) => {
    const make = (x: string): string => text.replace('$', () => x);
    const result = typeOf(make(columnOf(type)), FROM);
    const nest = result === undefined ? undefined : nestOf(`${text} of ${type}`, FROM, make, type, result);
    return nest === undefined ? [] : [nest];
  });
}

/** The functions of the registry with arguments that no nest has. */
export function functionsWithoutNest(nests: readonly NestedCall[]): readonly string[] {
  const nested = new Set(nests.map(({ name }) => name.replace(/[ (].*$/s, '')));
  const scalar = FUNCTION_FAMILIES.flatMap(({ functions }) => functions).filter(({ kind }) => kind === 'scalar');
  return scalar.flatMap(({ names: [name = ''] }) => (nested.has(name) ? [] : [name]));
}

interface WrittenCall {
  readonly name: string;
  readonly args: readonly string[];
  readonly from: string;
}

function writtenCalls(): readonly WrittenCall[] {
  const examples = Object.values(readDocumentedFunctions()).map((documented) => {
    const [expression = '', from] = (documented?.example ?? '').split(' FROM ');
    return { expression, from };
  });
  const cases = readFunctionCases().flatMap(({ groups }) => groups.flatMap((group) => group.cases));
  const plain = cases.filter(({ parameters, from }) => {
    return Object.keys(parameters).length === 0 && !/\b(?:where|group|having|limit)\b/i.test(from ?? '');
  });
  return [...examples, ...plain].flatMap(({ expression, from }) => {
    const call = splitCall(expression);
    return call === undefined ? [] : [{ ...call, from: from === undefined ? FROM : `${from} cross join ${FROM}` }];
  });
}

/** Name and arguments of an expression that is one call. */
function splitCall(expression: string): { readonly name: string; readonly args: readonly string[] } | undefined {
  let tokens: ReturnType<typeof tokenize>;
  try {
    tokens = tokenize(expression).filter(({ kind }) => kind !== 'end');
  } catch {
    return undefined;
  }
  const open = tokens.findIndex(({ symbol }) => symbol === '(');
  const name = expression.slice(0, tokens[open]?.position.offset ?? 0).trim();
  if (!/^[\w.]+$/.test(name)) return undefined;
  const args: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, { symbol = '', position }] of tokens.entries()) {
    if (['(', '['].includes(symbol)) depth += 1;
    if ([')', ']'].includes(symbol)) depth -= 1;
    const isEnd = depth === 0 && index > open;
    if (index === open) start = position.offset + 1;
    if (isEnd || (symbol === ',' && depth === 1)) {
      args.push(expression.slice(start, position.offset).trim());
      start = position.offset + 1;
    }
    if (isEnd) return index === tokens.length - 1 ? { name: name.toUpperCase(), args } : undefined;
  }
  return undefined;
}

/** One nest for each argument that is an expression, an amount of an interval, or the body of a lambda. */
function nestsOf({ name, args, from }: WrittenCall, typeOf: TypeOf): readonly NestedCall[] {
  const result = typeOf(`${name}(${args.join(', ')})`, from);
  if (result === undefined) return [];
  return args.flatMap((arg, index) => {
    const call = (changed: string): string =>
      `${name}(${args.map((each, at) => (at === index ? changed : each)).join(', ')})`;
    const interval = /^interval\s.+\s(\w+)$/i.exec(arg);
    const lambda = /^\(?[\w, ]+\)?\s*->/.exec(arg);
    const type = lambda ? (name === 'ARRAY_TRANSFORM' ? 'STRING' : 'BOOL') : interval ? 'INT64' : typeOf(arg, from);
    if (type === undefined) return [];
    const make = (x: string): string => {
      if (lambda) return call(`${lambda[0]} ${x}`);
      return call(interval ? `interval ${x} ${interval[1]}` : x);
    };
    if (typeOf(make(columnOf(type)), from) !== result) return [];
    // What FORMAT does depends on its first argument.
    const form = name === 'FORMAT' ? `${name} ${args[0]}` : `${name} of ${args.length}`;
    const nest = nestOf(`${form}, argument ${index + 1}: ${type}`, from, make, type, result);
    return nest === undefined ? [] : [nest];
  });
}

function nestOf(
  name: string,
  from: string,
  make: (x: string) => string,
  type: string,
  result: string
): NestedCall | undefined {
  if (converted(columnOf(result), result, type) === undefined) return undefined;
  const at = (depth: number): string => {
    let text = columnOf(result);
    for (let level = 0; level < depth; level += 1) text = make(converted(text, result, type) ?? '');
    return text;
  };
  return { name, from, at };
}

function distinctNests(nests: readonly NestedCall[]): readonly NestedCall[] {
  return [...new Map(nests.toReversed().map((nest) => [nest.name, nest])).values()].toReversed();
}

/** A value of the type that no compiler can fold. */
function columnOf(type: string): string {
  return COLUMNS[type]?.[0] ?? converted('s_', 'STRING', type) ?? 'null';
}

/** The expression as another type, in a few operations; undefined: none is known. */
function converted(x: string, from: string, to: string): string | undefined {
  if (from === to) return x;
  if (to === 'STRING') return asText(x, from);
  if (to === 'BYTES') return `cast(${asText(x, from)} as bytes)`;
  if (to === 'JSON') return `to_json(${x})`;
  if (to.startsWith('ARRAY<')) {
    const item = converted(x, from, to.slice('ARRAY<'.length, -1));
    return item === undefined ? undefined : `[${item}]`;
  }
  return fromNumber(asNumber(x, from), to);
}

function asText(x: string, from: string): string {
  if (from === 'STRING') return x;
  if (from === 'BYTES') return `to_hex(${x})`;
  if (from === 'BOOL') return `if(${x}, 'a', 'b')`;
  return /^(?:ARRAY|STRUCT|JSON)/.test(from) ? `to_json_string(${x})` : `chr(${asNumber(x, from)})`;
}

function asNumber(x: string, from: string): string {
  switch (from) {
    case 'INT64':
      return x;
    case 'FLOAT64':
      return `cast(${x} as int64)`;
    case 'BOOL':
      return `if(${x}, 1, 2)`;
    case 'TIMESTAMP':
      return `unix_micros(${x})`;
    case 'DATE':
      return `unix_date(${x})`;
    case 'DATETIME':
    case 'INTERVAL':
      return `extract(day from ${x})`;
    case 'TIME':
      return `extract(hour from ${x})`;
    default:
      return `length(${asText(x, from)})`;
  }
}

function fromNumber(n: string, to: string): string | undefined {
  const forms: Readonly<Record<string, string>> = {
    INT64: n,
    FLOAT64: `cast(${n} as float64)`,
    BOOL: `(${n} > 3)`,
    TIMESTAMP: `timestamp_micros(${n})`,
    DATE: `date_from_unix_date(${n})`,
    DATETIME: `datetime(timestamp_micros(${n}))`,
    TIME: `time(timestamp_micros(${n}))`,
    INTERVAL: `make_interval(0, 0, ${n})`,
  };
  return forms[to];
}
