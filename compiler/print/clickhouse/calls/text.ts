/** Text functions. Lengths and positions count characters; calls that can enlarge a text are bounded for each row. */
import type { CallExpr, Expr } from '../../../ir/expression';
import { MAX_PARTS, MAX_TEXT_BYTES, MAX_TEXT_GROWTH_BYTES } from '../../../functions/limits';
import { isAscii } from '../../../functions/text/ascii';
import { constantText, isConstant, operands, type Operand } from '../../bind-once';
import type { CallPrinter } from '../../dialect';
import { tooLong } from '../../text-growth';
import { bindOnce, nameOperand } from '../bind-once';
import { listOf } from '../arrays/values';
import { castTo, failsWhen, int, quoteText } from '../literals';
import { ifAscii, lowerEach } from './letter-case';

/** Default characters of TRIM: Unicode white space. */
const WHITE_SPACE = '[\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}]';

export const text: Readonly<Record<string, CallPrinter>> = {
  lower: ([x]) => `lowerUTF8(${x})`,
  upper: ([x]) => `upperUTF8(${x})`,
  reverse: ([x]) => `reverseUTF8(${x})`,
  length: ([x]) => `toInt64(lengthUTF8(${x}))`,
  byte_length: ([x]) => `toInt64(length(${x}))`,
  starts_with: ([x, prefix]) => `startsWith(${x}, ${prefix})`,
  ends_with: ([x, suffix]) => `endsWith(${x}, ${suffix})`,
  contains: ([x, part]) => `(position(${x}, ${part}) > 0)`,
  contains_substr: containsSubstr,
  strpos: ([x, part]) => `toInt64(positionUTF8(${x}, ${part}))`,
  trim: trimmed('both'),
  trim_start: trimmed('start'),
  trim_end: trimmed('end'),
  split,
  left: (args, call) => taken('leftUTF8', args, call),
  right: (args, call) => taken('rightUTF8', args, call),
  substr: substring,
  replace: (args, { args: exprs }) => {
    const [from, to] = exprs.slice(1).map(constantText);
    const grows = typeof from !== 'string' || typeof to !== 'string' || Buffer.byteLength(to) > from.length;
    if (!grows) return `replaceAll(${args.join(', ')})`;
    return bindOnce(operands(args, exprs), (x, a, b) => {
      const count = `intDiv(length(${x}) - length(replaceAll(${x}, ${a}, '')), greatest(length(${a}), 1))`;
      const grown = `(${count} * (length(${b}) - length(${a})))`;
      const fails = `length(${x}) * length(${b}) > ${MAX_TEXT_GROWTH_BYTES} AND ${tooLong(`length(${x})`, grown)}`;
      return `(CASE WHEN ${failsWhen(fails, 'text_too_long')} THEN NULL ELSE replaceAll(${x}, ${a}, ${b}) END)`;
    });
  },
  repeat: (args, { args: exprs }) =>
    bindOnce(
      operands(args, exprs),
      (x, n) =>
        `(CASE WHEN ${failsWhen(`${n} < 0`, 'negative_length')} THEN NULL ` +
        `WHEN ${x} = '' AND ${n} IS NOT NULL THEN ${x} ` +
        // Divides instead of multiplying, because a product could overflow.
        `WHEN ${failsWhen(`${n} > 1 AND ${n} > intDiv(${MAX_TEXT_BYTES}, greatest(length(${x}), 1))`, 'text_too_long')} THEN NULL ` +
        `ELSE repeat(${x}, ${n}) END)`
    ),
  pad_left: (args, call) => padded('leftPadUTF8', args, call),
  pad_right: (args, call) => padded('rightPadUTF8', args, call),
  format_fixed: ([x], { options }) => `replaceAll(printf('%.${Number(options?.['digits'])}f', ${x}), '-nan', 'nan')`,
  md5_hex: ([x]) => `lower(hex(MD5(${x})))`,
  sha256_hex: ([x]) => `lower(hex(SHA256(${x})))`,
};

function containsSubstr(args: readonly string[], { args: exprs }: CallExpr): string {
  const [text, part] = operands(args, exprs) as [Operand, Operand];
  const known = constantText(part.expr);
  return bindOnce([text], (x) => {
    const mapped = `position(${lowerEach(String(x))}, ${lowerEach(part.sql)}) > 0`;
    return typeof known === 'string' && isAscii(known)
      ? ifAscii(String(x), `positionCaseInsensitive(${x}, ${part.sql}) > 0`, mapped)
      : `(${mapped})`;
  });
}

/** Never occurs in text: ingestion and the query parsers refuse it. */
const NUL = quoteText('\0');

function split(args: readonly string[], { args: exprs, type }: CallExpr): string {
  const known = constantText(exprs[1]);
  return bindOnce(operands(args, exprs), (x, separator) => {
    const text = `ifNull(${x}, '')`;
    const letters = `ngrams(${text}, 1)`;
    // ClickHouse supports only constant separators.
    const parts = `splitByChar(${NUL}, replaceAll(${text}, ifNull(${separator}, ''), ${NUL}))`;
    const list =
      known === ''
        ? letters
        : typeof known === 'string'
          ? `splitByString(${separator}, ${text})`
          : `if(${separator} = '', ${letters}, ${parts})`;
    // ClickHouse splits an empty text into zero parts.
    const whole = `if(${x} = '', [''], ${list})`;
    const count = `if(${separator} = '', lengthUTF8(${text}) - 1, countSubstrings(${text}, ifNull(${separator}, '')))`;
    const fails = failsWhen(`length(${text}) >= ${MAX_PARTS} AND ${count} >= ${MAX_PARTS}`, 'too_many_parts');
    return castTo(`if(${x} IS NULL OR ${separator} IS NULL OR ${fails}, NULL, ${listOf(whole)})`, type);
  });
}

/** ClickHouse's own functions trim bytes, not characters. */
function trimmed(where: 'both' | 'start' | 'end'): CallPrinter {
  return ([x, characters], { args: [, expr] }) => {
    const trim = (pattern: string): string => {
      const start = (text: string): string => `replaceRegexpOne(${text}, concat('^', ${pattern}, '+'), '')`;
      const end = (text: string): string => `replaceRegexpOne(${text}, concat(${pattern}, '+$'), '')`;
      if (where === 'start') return start(String(x));
      return where === 'end' ? end(String(x)) : end(start(String(x)));
    };
    if (characters === undefined) return trim(quoteText(WHITE_SPACE));
    const escaped = (text: string): string =>
      `replaceRegexpAll(${text}, ${quoteText('([][^\\\\-])')}, ${quoteText('\\\\\\1')})`;
    // An empty set is not a valid pattern; use one that matches nothing.
    return nameOperand(characters, expr, (c) => {
      const set = `ifNull(${c}, '')`;
      const pattern = `if(${set} = '', ${quoteText('[^\\s\\S]')}, concat('[', ${escaped(set)}, ']'))`;
      return `if(${c} IS NULL, NULL, ${trim(pattern)})`;
    });
  };
}

function taken(name: 'leftUTF8' | 'rightUTF8', args: readonly string[], { args: exprs, options }: CallExpr): string {
  const [x, n] = operands(args, exprs);
  if (x === undefined || n === undefined) throw new Error(`${name} takes a text and a length`);
  if (isKnownPositive(n.expr)) return `${name}(${x.sql}, ${n.sql})`;
  return bindOnce([x, n], (t, m) => unlessNegative(String(m), options, `${name}(${t}, ${m})`));
}

/** A start of 0, or before the text, is the first character. */
function substring(args: readonly string[], { args: exprs, options }: CallExpr): string {
  return bindOnce(operands(args, exprs), (x, i, n) => {
    const from = `if(${i} = 0 OR ${i} < - toInt64(lengthUTF8(${x})), ${int(1)}, ${i})`;
    if (n === undefined) return `substringUTF8(${x}, ${from})`;
    const part = `substringUTF8(${x}, ${from}, ${n})`;
    return isKnownPositive(exprs[2]) ? part : unlessNegative(n, options, part);
  });
}

function unlessNegative(length: string, options: CallExpr['options'], value: string): string {
  const negative = options?.['safe'] === true ? `${length} < 0` : failsWhen(`${length} < 0`, 'negative_length');
  return `(CASE WHEN ${negative} THEN NULL ELSE ${value} END)`;
}

function padded(name: string, args: readonly string[], { args: exprs }: CallExpr): string {
  return bindOnce(
    operands(args, exprs),
    (x, n, pattern) =>
      `(CASE WHEN ${failsWhen(`${n} < 0`, 'negative_length')} ` +
      // A character has at most four bytes.
      `OR ${failsWhen(`${n} > ${MAX_TEXT_BYTES / 4} AND ${n} > lengthUTF8(${x})`, 'text_too_long')} THEN NULL ` +
      `ELSE ${name}(${x}, ${n}, ${pattern}) END)`
  );
}

function isKnownPositive(expr: Expr | undefined): boolean {
  if (expr === undefined || !isConstant(expr)) return false;
  const value = expr.kind === 'bound' ? expr.value.value : expr.kind === 'literal' ? expr.value : null;
  return typeof value === 'bigint' && value >= 0n;
}
