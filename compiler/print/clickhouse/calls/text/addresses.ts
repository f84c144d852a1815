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
import { failsWhen, quoteText } from '../../values/literals';
import { orFail } from '../../values/or-fail';

export const addresses: CallPrinters<AddressOps> = {
  ip_from_text: (operands, { options }) =>
    bindOnce(operands, (x) => {
      const ipv6 = bound('t', withoutTail(`ifNull(${x}, '')`), `if(${isIpv6('t')}, unhex(${digitsOfIpv6('t')}), NULL)`);
      const value = `if(${matches(x, IPV4_TEXT)}, unhex(${digitsOfIpv4(`ifNull(${x}, '')`)}), ${ipv6})`;
      return orFail(x, value, options.safe, 'bad_encoding');
    }),
  ip_to_text: (operands, { options }) =>
    bindOnce(operands, (x) => {
      const text = `multiIf(length(h) = 8, ${decimals('h')}, length(h) = 32, ${textOfIpv6('h')}, NULL)`;
      return orFail(x, bound('h', `lower(hex(ifNull(${x}, '')))`, text), options.safe, 'bad_encoding');
    }),
  ip_mask: (operands, { options }) =>
    bindOnce(operands, (size, bits) => {
      const digits = `concat(repeat('F', least(intDiv(greatest(${bits}, 0), 4), 32)), substring('08CE', ${bits} % 4 + 1, 1), repeat('0', 32))`;
      const isValid = `(${size} = 4 OR ${size} = 16) AND ${bits} BETWEEN 0 AND 8 * ${size}`;
      return checked(isValid, `unhex(substring(${digits}, 1, 2 * ${size}))`, [size, bits], options.safe);
    }),
  ip_trunc: (operands, { options }) =>
    bindOnce(operands, (x, bits) => {
      const digit = `substring(hex(${x}), intDiv(${bits}, 4) + 1, 1)`;
      const cut = TRUNCATED_DIGITS.map(
        (kept, index) => `${bits} % 4 = ${index + 1}, translate(${digit}, '${HEX_DIGITS}', '${kept}')`
      );
      const whole = `substring(hex(${x}), 1, intDiv(${bits}, 4))`;
      const digits = `concat(${whole}, multiIf(${cut.join(', ')}, ''), repeat('0', 32))`;
      const size = `toInt64(length(${x}))`;
      const isValid = `(${size} = 4 OR ${size} = 16) AND ${bits} BETWEEN 0 AND 8 * ${size}`;
      return checked(isValid, `unhex(substring(${digits}, 1, 2 * ${size}))`, [x, bits], options.safe);
    }),
  ipv4_from_integer: (operands, { options }) =>
    bindOnce(operands, (n) => {
      const value = `unhex(leftPad(hex(toUInt32(bitAnd(${n}, 4294967295))), 8, '0'))`;
      return checked(`${n} BETWEEN -2147483648 AND 4294967295`, value, [n], options.safe);
    }),
  ipv4_to_integer: (operands, { options }) =>
    bindOnce(operands, (x) =>
      checked(`length(${x}) = 4`, `toInt64(reinterpretAsUInt32(reverse(${x})))`, [x], options.safe)
    ),
};

function bound(name: string, value: string, body: string): string {
  return `arrayElement(arrayMap(${name} -> ${body}, [${value}]), 1)`;
}

function matches(x: string, pattern: string): string {
  return `match(${x}, ${quoteText(pattern)})`;
}

/** NULL if an operand is NULL. */
function checked(isValid: string, value: string, operands: readonly string[], safe: boolean): string {
  const there = operands.map((operand) => `${operand} IS NOT NULL`).join(' AND ');
  const fails = safe ? 'FALSE' : failsWhen(`${there} AND NOT (${isValid})`, 'bad_encoding');
  return `(CASE WHEN ${fails} THEN NULL WHEN ${isValid} THEN ${value} END)`;
}

/** Eight hexadecimal digits. */
function digitsOfIpv4(text: string): string {
  return `arrayStringConcat(arrayMap(p -> hex(ifNull(toUInt8OrNull(p), 0)), splitByChar('.', ${text})))`;
}

/** Text of an IPv6 address with groups in place of an IPv4 address at its end. */
function withoutTail(x: string): string {
  const head = `substring(${x}, 1, length(${x}) - length(e))`;
  const groups = bound('d', digitsOfIpv4('e'), `concat(substring(d, 1, 4), ':', substring(d, 5, 4))`);
  return bound('e', `extract(${x}, ${quoteText(IPV4_TAIL)})`, `if(e = '', ${x}, concat(${head}, ${groups}))`);
}

function isIpv6(t: string): string {
  const known = `length(${digitsOfGroups(firstSide(t))}) + length(${digitsOfGroups(secondSide(t))})`;
  return `${matches(t, IPV6_TEXT)} AND (position(${t}, '::') = 0 OR ${known} <= 28)`;
}

function digitsOfIpv6(t: string): string {
  const [first, second] = [digitsOfGroups(firstSide(t)), digitsOfGroups(secondSide(t))];
  return `concat(${first}, repeat('0', 32 - toInt64(length(${first}) + length(${second}))), ${second})`;
}

function firstSide(t: string): string {
  return `arrayElement(splitByString('::', ${t}), 1)`;
}

function secondSide(t: string): string {
  return `arrayElement(splitByString('::', ${t}), 2)`;
}

/** Four digits for each group. */
function digitsOfGroups(side: string): string {
  const digits = `arrayStringConcat(arrayMap(p -> leftPad(p, 4, '0'), splitByChar(':', ${side})))`;
  return `if(${side} = '', '', ${digits})`;
}

/** @param h eight hexadecimal digits */
function decimals(h: string): string {
  return `arrayStringConcat(arrayMap(p -> toString(reinterpretAsUInt8(unhex(p))), extractAll(${h}, '..')), '.')`;
}

function textOfIpv6(h: string): string {
  const groups = `arrayStringConcat(arrayMap(p -> replaceRegexpOne(p, '^0{1,3}', ''), extractAll(${h}, '....')), ':')`;
  const runs = ZERO_RUNS.map((run) => `${matches('g', run)}, replaceRegexpOne(g, ${quoteText(run)}, '::')`);
  return (
    `multiIf(${matches(h, MAPPED)}, concat('::ffff:', ${decimals(`substring(${h}, 25)`)}), ` +
    `${matches(h, COMPATIBLE)}, concat('::', ${decimals(`substring(${h}, 25)`)}), ` +
    `${bound('g', groups, `multiIf(${runs.join(', ')}, g)`)})`
  );
}
