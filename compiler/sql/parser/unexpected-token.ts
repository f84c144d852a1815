/** Error for an unexpected token. Names constructs of other dialects, and those of GoogleSQL that are not supported. */
import type { ServiceError } from '#contract/errors';
import type { Token } from '../lexer/token';
import { notInDialect, notSupported, syntaxError } from '../parse-errors';
import { TIME_UNITS } from '../../time/time-units';
import { RESERVED_WORDS } from '../reserved-words';
import { misspelledKeyword } from './syntax-hints';

/** Hint for records that are read like JSON. */
const FIELD_HINT = 'for a field of metadata write metadata[0].name, as in metadata[0].request[0].path';

/** Operators and reserved words of other dialects, with message and optional hint. */
const FOREIGN: ReadonlyMap<string, readonly [message: string, hint?: string]> = new Map([
  ['&&', ['&& is not part of this dialect; use AND']],
  ['!', ['! is not part of this dialect; use NOT']],
  ['==', ['== is not part of this dialect; use =']],
  ['<=>', ['<=> is not part of this dialect; use IS NOT DISTINCT FROM']],
  ['**', ['** is not part of this dialect; use POWER(x, y)']],
  ['//', ['// is not part of this dialect; use DIV(x, y)']],
  ['~', ['~ is not part of this dialect between two values; use REGEXP_CONTAINS(x, pattern)']],
  ['!~', ['!~ is not part of this dialect; use NOT REGEXP_CONTAINS(x, pattern)']],
  ['->>', ["->> is not part of this dialect; use JSON_VALUE(x, '$.name')", FIELD_HINT]],
  ['?', ['positional parameters are not part of this dialect; write @name']],
  ['ESCAPE', ['ESCAPE is not part of this dialect; put a backslash before % or _']],
  ['AT', ['AT TIME ZONE is part of EXTRACT only; use DATETIME(x, zone)']],
]);

/** Unsupported clauses of GoogleSQL. */
const UNSUPPORTED: ReadonlyMap<string, readonly [message: string, hint?: string]> = new Map([
  ['=>', ['named arguments are not supported']],
  ['COLLATE', ['COLLATE is not supported', 'compare LOWER(x) for case-insensitive text']],
  ['FETCH', ['FETCH FIRST is not supported', 'write LIMIT n']],
  ['GROUPS', ['GROUPS is not supported']],
  ['INTO', ['SELECT ... INTO is not supported']],
  [
    'LATERAL',
    ['LATERAL is not supported here', 'it belongs behind a comma or JOIN, as in FROM t, LATERAL (SELECT ...) AS x'],
  ],
  ['NATURAL', ['NATURAL JOIN is not supported', 'write JOIN ... USING (name)']],
  [
    'TABLESAMPLE',
    ['TABLESAMPLE is not supported here', 'it belongs behind the name of a table, or a query or joins in parentheses'],
  ],
  [
    'WITHIN',
    [
      'WITHIN GROUP is not supported',
      'write PERCENTILE_CONT(value, 0.95), or STRING_AGG(value, separator ORDER BY value)',
    ],
  ],
]);

/** Common mistakes, as the unexpected word or the one before it. */
const HABITS: ReadonlyMap<string, string> = new Map([
  ['ASCENDING', 'write ASC'],
  ['BOTH', 'write TRIM(x, characters)'],
  ['DESCENDING', 'write DESC'],
  ['DIV', 'write DIV(x, y)'],
  ['FORMAT', 'leave FORMAT out; the header Accept names the format of the answer'],
  ['GLOB', 'write REGEXP_CONTAINS(x, pattern)'],
  ['ISNULL', 'write IS NULL'],
  ['LEADING', 'write LTRIM(x, characters)'],
  ['MINUS', 'write EXCEPT DISTINCT'],
  ['MOD', 'write MOD(x, y)'],
  ['NOTNULL', 'write IS NOT NULL'],
  ['OFFSET', 'write LIMIT n OFFSET m'],
  ['PRECISION', 'write FLOAT64'],
  ['PREWHERE', 'write WHERE'],
  ['REGEXP', 'write REGEXP_CONTAINS(x, pattern)'],
  ['RLIKE', 'write REGEXP_CONTAINS(x, pattern)'],
  ['SEPARATOR', "write STRING_AGG(x, ',')"],
  ['SETTINGS', 'leave SETTINGS out'],
  ['SIMILAR', 'write REGEXP_CONTAINS(x, pattern)'],
  ['SORT', 'write ORDER BY'],
  ['TOP', 'write LIMIT n at the end of the query'],
  ['TRAILING', 'write RTRIM(x, characters)'],
  ['VARYING', 'write STRING'],
]);

/** Reserved words that are common field names in logs. */
const NAME_LIKE: ReadonlySet<string> = new Set(
  `ARRAY BY CONTAINS CREATE CURRENT DEFAULT DESC END ENUM FOR GROUP GROUPS HASH IF IN INTERVAL LOOKUP MERGE NEW
   NO OF ORDER OUTER OVER PARTITION PROTO RANGE RIGHT ROWS SET STRUCT TO USING WINDOW WITHIN`.split(/\s+/)
);

const CLAUSES = /^(?:FROM|WHERE|GROUP|HAVING|QUALIFY|WINDOW|ORDER|LIMIT)$/;
const CLAUSES_HINT =
  'clauses stand in this order: FROM, WHERE, GROUP BY, HAVING, QUALIFY, WINDOW, ORDER BY, LIMIT; in pipes each begins with |>';

const DASH_HINT = 'a name with dashes is written in backticks';
const QUOTE_HINT = "a quote inside of a text is written \\'";
const LIMIT_BY_HINT = 'write QUALIFY ROW_NUMBER() OVER (PARTITION BY x ORDER BY y) = 1';
const PARAMETRIC_HINT = 'all arguments stand in one pair of parentheses, as in APPROX_QUANTILES(x, 100)[OFFSET(95)]';

/** What follows IS. */
const TESTS = 'NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM';
const IF_HINT = 'write IF(condition, x, y), or CASE WHEN condition THEN x ELSE y END';

const LAMBDA_HINT = 'write ARRAY_FILTER(list, e -> e > 0)';

const ANY_ALL_SOME: ReadonlySet<string> = new Set(['ANY', 'ALL', 'SOME']);

/**
 * @param expected completes the sentence "expected ..."
 * @param otherwise hint for want of one about these tokens
 */
export function unexpectedToken(
  previous: Token,
  found: Token,
  next: Token,
  expected: string,
  hint: string | undefined,
  otherwise: () => string | undefined
): ServiceError {
  const known = inContext(previous, found, next) ?? byItself(found);
  if (known !== null) return known;
  return generally(found, expected, hint ?? hintFor(previous, found, next, expected) ?? otherwise());
}

function inContext(previous: Token, { symbol, position }: Token, next: Token): ServiceError | null {
  if (symbol === '->') {
    const isPath = next.kind === 'string' || next.kind === 'integer';
    return isPath
      ? notInDialect(position, "-> is not part of this dialect; use JSON_VALUE(x, '$.name')", FIELD_HINT)
      : syntaxError(position, 'a lambda can stand as an argument of a function only', LAMBDA_HINT);
  }
  if (/^!?~$/.test(symbol) && next.symbol === '*') {
    const call = `${symbol === '~' ? '' : 'NOT '}REGEXP_CONTAINS(x, '(?i)pattern')`;
    return notInDialect(position, `${symbol}* is not part of this dialect between two values; use ${call}`);
  }
  if (symbol === ':' && /^(?:word|integer)$/.test(next.kind) && startsOperand(previous)) {
    return notInDialect(position, 'parameters with a colon are not part of this dialect; write @name');
  }
  if (ANY_ALL_SOME.has(symbol) && previous.kind === 'operator' && /^[=<>!]/.test(previous.symbol)) {
    const hint = previous.symbol === '=' ? 'write x IN (...)' : undefined;
    return notSupported(position, `${previous.symbol} ${symbol} is not supported`, hint);
  }
  if (symbol === 'FOR' && previous.symbol !== 'FOR') {
    const clause = next.symbol.startsWith('SYSTEM') ? 'FOR SYSTEM_TIME AS OF' : `FOR ${next.symbol}`.trimEnd();
    return notSupported(position, `${clause} is not supported`);
  }
  if (symbol === 'EXCLUDE') {
    return previous.symbol === '*'
      ? notInDialect(position, 'EXCLUDE is not part of this dialect; use * EXCEPT (name)')
      : notSupported(position, 'EXCLUDE is not supported');
  }
  return null;
}

/** Whether an operand is expected after this token. */
function startsOperand({ kind, symbol }: Token): boolean {
  return kind === 'operator' ? symbol !== ')' && symbol !== ']' : RESERVED_WORDS.has(symbol);
}

function byItself({ symbol, position }: Token): ServiceError | null {
  const foreign = FOREIGN.get(symbol);
  if (foreign !== undefined) return notInDialect(position, ...foreign);
  const unsupported = UNSUPPORTED.get(symbol);
  return unsupported === undefined ? null : notSupported(position, ...unsupported);
}

function generally(found: Token, expected: string, hint: string | undefined): ServiceError {
  if (found.kind === 'end' && expected === 'an expression') {
    return syntaxError(found.position, 'unexpected end of the query');
  }
  return syntaxError(found.position, `expected ${expected} but found ${describeToken(found)}`, hint);
}

/** Hints by what was expected. */
function hintByExpected(previous: Token, found: Token, next: Token, expected: string): string | undefined {
  switch (expected) {
    case '")"':
      if (previous.kind === 'integer' && isUnit(found)) return `write INTERVAL ${previous.value} ${found.symbol}`;
      if (found.symbol === 'THEN') return IF_HINT;
      if (found.symbol === 'AS') return 'AS stands in CAST(x AS type), SAFE_CAST(x AS type) and STRUCT(x AS name)';
      if (next.symbol === 'TIME' && found.symbol === 'WITH') return 'write TIMESTAMP';
      if (next.symbol === 'TIME' && found.symbol === 'WITHOUT') return 'write DATETIME';
      return found.symbol === 'FROM' && next.kind === 'integer' ? 'write SUBSTR(x, position, length)' : undefined;
    case '"("':
      return found.symbol === '[' && ANY_ALL_SOME.has(previous.symbol)
        ? `write ${previous.symbol} ('a%', 'b%'), or ${previous.symbol} UNNEST(array)`
        : undefined;
    case 'AS':
      return found.symbol === ',' ? 'write CAST(x AS type)' : undefined;
    case 'END':
      return found.symbol === ',' ? 'no comma stands before WHEN, ELSE and END' : undefined;
    case 'ON or USING':
      return 'write ON a.x = b.x, USING (x), or CROSS JOIN';
    case '"]"':
      return found.symbol === ':' ? 'write ARRAY_SLICE(array, first, last), with positions from 0' : undefined;
    case 'BERNOULLI, SYSTEM or RESERVOIR':
      return 'write TABLESAMPLE SYSTEM (10 PERCENT)';
    case '"(" or UNNEST':
      return 'write IN (x, y) or IN UNNEST(array); for POSITION write STRPOS(x, part)';
    case 'a unit of time':
      return found.kind === 'string' ? 'write the unit without quotes' : undefined;
    case 'FROM':
      return found.symbol === ',' ? 'write EXTRACT(unit FROM x), or REGEXP_EXTRACT(x, pattern)' : undefined;
    case 'an expression':
      if (found.symbol === 'ANY' && next.symbol === '(') return 'write ANY_VALUE(x)';
      return found.symbol === '*' && previous.symbol === 'DISTINCT'
        ? 'write COUNT(DISTINCT x), or COUNT(*)'
        : undefined;
    case 'the end of the query':
      if (found.symbol === '|' && next.kind === 'word') return 'operators of pipes stand behind |>';
      if (found.symbol === 'AND' || found.symbol === 'OR')
        return 'conditions stand behind WHERE, or behind ON of a JOIN';
      if (found.symbol === '-' && previous.kind === 'word' && next.kind === 'word') return DASH_HINT;
      if (previous.kind === 'string' && next.kind === 'string') return QUOTE_HINT;
      if (found.symbol === 'CONTAINS') return 'write CONTAINS_SUBSTR(x, part)';
      if (found.symbol === 'BY' && previous.kind === 'integer') return LIMIT_BY_HINT;
      if (found.symbol === 'BY' && previous.symbol === ')') return 'write GROUP BY';
      if (found.symbol === '(' && previous.symbol === ')') return PARAMETRIC_HINT;
      if (found.symbol === 'WITH' && next.symbol === 'TIES') return 'write QUALIFY RANK() OVER (ORDER BY x) <= n';
      if (found.symbol === 'WITH' && next.symbol === 'ROLLUP') return 'write GROUP BY ROLLUP (x, y)';
      if (found.symbol === ':' && next.kind === 'word') return `write JSON_VALUE(x, '$.${next.value}')`;
      if (found.symbol === 'ARRAY' && next.symbol === 'JOIN') return 'write CROSS JOIN UNNEST(x) AS name';
      return CLAUSES.test(found.symbol) ? CLAUSES_HINT : undefined;
    case TESTS:
      return /^(?:string|integer|float|number)$/.test(found.kind) ? 'write = or != before a value' : undefined;
    default:
      return undefined;
  }
}

function isUnit({ symbol }: Token): boolean {
  return TIME_UNITS.some((unit) => unit === symbol);
}

function hintFor(previous: Token, found: Token, next: Token, expected: string): string | undefined {
  const byExpected = hintByExpected(previous, found, next, expected);
  if (byExpected !== undefined) return byExpected;
  const habit = HABITS.get(found.symbol) ?? HABITS.get(previous.symbol);
  if (habit !== undefined) return habit;
  if (/^(?:IGNORE|RESPECT)$/.test(found.symbol) && previous.symbol === ')') {
    return `write ${found.symbol} NULLS inside the parentheses`;
  }
  if (found.symbol === 'SELECT' && /^(?:an expression|"\(")$/.test(expected))
    return 'a subquery is written in parentheses';
  if (found.symbol === 'NOT') return 'behind a value write NOT LIKE, NOT IN, NOT BETWEEN or IS NOT';
  const wantsName = /^(?:an expression|a name|a table)/.test(expected);
  if (wantsName && NAME_LIKE.has(found.symbol)) {
    return `"${found.value}" is a reserved word; as a name it is written in backticks`;
  }
  const isName = found.kind === 'string' || found.symbol === '[';
  if (isName && /^(?:a name|a table)/.test(expected)) return 'a name is written in backticks';
  const misspelled = misspelledKeyword(found, previous);
  if (misspelled !== undefined) return misspelled;
  return found.kind === 'string' && expected === 'the end of the query' ? 'a name is written in backticks' : undefined;
}

/** The token as named in messages, shortened if long. */
export function describeToken({ kind, value }: Token): string {
  // Cuts between characters: an unpaired surrogate could not be sent.
  const text = value.length > 40 ? `${value.slice(0, 40).replace(/[\uD800-\uDBFF]$/, '')}…` : value;
  switch (kind) {
    case 'end':
      return 'the end of the query';
    case 'string':
      return `the text '${text.replace(/\s+/g, ' ')}'`;
    case 'bytes':
      return 'a bytes literal';
    case 'parameter':
      return `"@${text}"`;
    case 'quoted-name':
      return `\`${text}\``;
    default:
      return `"${text}"`;
  }
}
