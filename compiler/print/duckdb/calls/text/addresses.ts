/** IP addresses, computed on hexadecimal digits. */
import type { AddressOps } from '../../../../ir/operations/ops';
import {
  COMPATIBLE,
  HEX_DIGITS,
  IPV4_TAIL,
  IPV4_TEXT,
  IPV6_TEXT,
  MAPPED,
  TRUNCATED_DIGITS,
  ZERO_RUNS,
} from '../../../base/text/bytes';
import type { CallPrinters } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { quoteText, raise } from '../../values/literals';
import { sizeOf } from './bytes';
import { forLambda } from '../../values/for-lambda';

export const addresses: CallPrinters<AddressOps> = {
  ip_from_text: (operands, { options }) =>
    bindOnce(
      operands,
      (x) =>
        `(CASE WHEN ${matches(x, IPV4_TEXT)} THEN unhex(${digitsOfIpv4(x)}) ` +
        `ELSE ${bound('t', withoutTail(x), `(CASE WHEN ${isIpv6('t')} THEN unhex(${digitsOfIpv6('t')}) WHEN t IS NOT NULL THEN ${options.safe ? 'NULL' : raise('bad_encoding')} END)`)} END)`
    ),
  ip_to_text: (operands, { options }) =>
    bindOnce(operands, (x) =>
      bound(
        'h',
        `lower(hex(${x}))`,
        `(CASE WHEN length(h) = 8 THEN ${decimals('h')} WHEN length(h) = 32 THEN ${textOfIpv6('h')} WHEN h IS NOT NULL THEN ${options.safe ? 'NULL' : raise('bad_encoding')} END)`
      )
    ),
  ip_mask: (operands, { options }) =>
    bindOnce(operands, (size, bits) => {
      // DuckDB computes constant parts of branches that are not taken, too.
      const whole = `least(greatest(${bits}, 0) // 4, 32)`;
      const digits = `repeat('F', CAST(${whole} AS INTEGER)) || substr('08CE', CAST(${bits} % 4 + 1 AS INTEGER), 1) || repeat('0', 32)`;
      const isValid = `(${size} = 4 OR ${size} = 16) AND ${bits} BETWEEN 0 AND 8 * ${size}`;
      return checked(isValid, `unhex(substr(${digits}, 1, 2 * ${size}))`, [size, bits], options.safe);
    }),
  ip_trunc: (operands, { options }) =>
    bindOnce(operands, (x, bits) => {
      const digit = `substr(hex(${x}), CAST(${bits} // 4 + 1 AS INTEGER), 1)`;
      const cut = TRUNCATED_DIGITS.map(
        (kept, index) => `WHEN ${bits} % 4 = ${index + 1} THEN translate(${digit}, '${HEX_DIGITS}', '${kept}')`
      );
      const digits = `substr(hex(${x}), 1, CAST(${bits} // 4 AS INTEGER)) || (CASE ${cut.join(' ')} ELSE '' END) || repeat('0', 32)`;
      const isValid = `(${sizeOf(x)} = 4 OR ${sizeOf(x)} = 16) AND ${bits} BETWEEN 0 AND 8 * ${sizeOf(x)}`;
      return checked(isValid, `unhex(substr(${digits}, 1, 2 * ${sizeOf(x)}))`, [x, bits], options.safe);
    }),
  ipv4_from_integer: (operands, { options }) =>
    bindOnce(operands, (n) => {
      const unsigned = `(CASE WHEN ${n} < 0 THEN ${n} + 4294967296 ELSE ${n} END)`;
      const value = `unhex(printf('%08x', ${unsigned}))`;
      return checked(`${n} BETWEEN -2147483648 AND 4294967295`, value, [n], options.safe);
    }),
  ipv4_to_integer: (operands, { options }) =>
    bindOnce(operands, (x) => {
      const value = `CAST(CAST('0x' || hex(${x}) AS UBIGINT) AS BIGINT)`;
      return checked(`${sizeOf(x)} = 4`, value, [x], options.safe);
    }),
};

function bound(name: string, value: string, body: string): string {
  return `list_extract(list_transform(${forLambda(`[${value}]`)}, lambda ${name}: ${body}), 1)`;
}

function matches(x: string, pattern: string): string {
  return `regexp_matches(${x}, ${quoteText(pattern)})`;
}

/** NULL if an operand is NULL. */
function checked(isValid: string, value: string, operands: readonly string[], safe: boolean): string {
  const there = operands.map((operand) => `${operand} IS NOT NULL`).join(' AND ');
  return `(CASE WHEN ${isValid} THEN ${value} WHEN ${there} THEN ${safe ? 'NULL' : raise('bad_encoding')} END)`;
}

/** Eight hexadecimal digits. */
function digitsOfIpv4(text: string): string {
  return `array_to_string(list_transform(${forLambda(`string_split(${text}, '.')`)}, lambda p: printf('%02x', CAST(p AS INTEGER))), '')`;
}

/** Text of an IPv6 address with groups in place of an IPv4 address at its end. */
function withoutTail(x: string): string {
  const head = `substr(${x}, 1, length(${x}) - length(e))`;
  const groups = bound('d', digitsOfIpv4('e'), `substr(d, 1, 4) || ':' || substr(d, 5, 4)`);
  return bound(
    'e',
    `regexp_extract(${x}, ${quoteText(IPV4_TAIL)}, 1)`,
    `(CASE WHEN e = '' THEN ${x} ELSE ${head} || ${groups} END)`
  );
}

function isIpv6(t: string): string {
  const known = `${digitsOfGroups(firstSide(t))} || ${digitsOfGroups(secondSide(t))}`;
  return `${matches(t, IPV6_TEXT)} AND (NOT contains(${t}, '::') OR length(${known}) <= 28)`;
}

function digitsOfIpv6(t: string): string {
  const [first, second] = [digitsOfGroups(firstSide(t)), digitsOfGroups(secondSide(t))];
  return `(${first} || repeat('0', 32 - length(${first}) - length(${second})) || ${second})`;
}

function firstSide(t: string): string {
  return `split_part(${t}, '::', 1)`;
}

function secondSide(t: string): string {
  return `split_part(${t}, '::', 2)`;
}

/** Four digits for each group. */
function digitsOfGroups(side: string): string {
  const digits = `array_to_string(list_transform(${forLambda(`string_split(${side}, ':')`)}, lambda p: lpad(p, 4, '0')), '')`;
  return `(CASE WHEN ${side} = '' THEN '' ELSE ${digits} END)`;
}

/** @param h eight hexadecimal digits */
function decimals(h: string): string {
  return `array_to_string(list_transform(${forLambda(`regexp_extract_all(${h}, '..')`)}, lambda p: CAST(CAST('0x' || p AS UTINYINT) AS VARCHAR)), '.')`;
}

function textOfIpv6(h: string): string {
  const groups = `array_to_string(list_transform(${forLambda(`regexp_extract_all(${h}, '....')`)}, lambda p: regexp_replace(p, '^0{1,3}', '')), ':')`;
  const runs = ZERO_RUNS.map((run) => `WHEN ${matches('g', run)} THEN regexp_replace(g, ${quoteText(run)}, '::')`);
  return (
    `(CASE WHEN ${matches(h, MAPPED)} THEN '::ffff:' || ${decimals(`substr(${h}, 25)`)} ` +
    `WHEN ${matches(h, COMPATIBLE)} THEN '::' || ${decimals(`substr(${h}, 25)`)} ` +
    `ELSE ${bound('g', groups, `(CASE ${runs.join(' ')} ELSE g END)`)} END)`
  );
}
