/** Numbers of JSON in the form of the JSON type. */
import { nameOnce } from '../../values/bind-once';

/**
 * Digits of a finite FLOAT64 in JSON: an exponent below 1e-4 and from 1e15 on; ClickHouse uses one below 1e-6 and from
 * 1e21 on. @param shortest ClickHouse's text of the number
 */
export function jsonNumber(shortest: string): string {
  return nameOnce(shortest, (s) => {
    const sign = `if(startsWith(${s}, '-'), '-', '')`;
    const plain = `replaceRegexpOne(${s}, '^-', '')`;
    const whole = `extract(${s}, '^-?([0-9]+)')`;
    const pointed = (digits: string): string =>
      `replaceRegexpOne(replaceRegexpOne(${digits}, '0+$', ''), '^([0-9])([0-9]+)$', '\\\\1.\\\\2')`;
    const large = `concat(${sign}, ${pointed(`replaceAll(${plain}, '.', '')`)}, 'e+', toString(length(${whole}) - 1))`;
    const zeros = `length(extract(${plain}, '^0\\\\.(0+)'))`;
    const small = `concat(${sign}, ${pointed(`replaceRegexpOne(${plain}, '^0\\\\.0+', '')`)}, 'e-', leftPad(toString(${zeros} + 1), 2, '0'))`;
    const signed = `replaceRegexpOne(${s}, 'e([0-9])', 'e+\\\\1')`;
    const exponent = `replaceRegexpOne(${signed}, 'e([+-])([0-9])$', 'e\\\\10\\\\2')`;
    return (
      `multiIf(position(${s}, 'e') > 0, ${exponent}, length(${whole}) > 15, ${large}, ` +
      `match(${s}, '^-?0\\\\.0000'), ${small}, position(${s}, '.') = 0, concat(${s}, '.0'), ${s})`
    );
  });
}

/** A number of a JSON text in the form of the JSON type; NULL for others. @param digits a short text */
export function normalNumber(digits: string): string {
  const whole = `toInt128OrZero(${digits})`;
  const isKnown = `length(${digits}) <= 20 AND ${whole} BETWEEN toInt128('-9223372036854775808') AND toInt128('18446744073709551615')`;
  const text = nameOnce(`tuple(${digits}, toString(ifNull(toFloat64OrNull(${digits}), toFloat64('inf'))))`, (v) => {
    const isExact = `position(${v}.2, 'inf') = 0 AND ${significant(`${v}.1`)} = ${significant(`${v}.2`)}`;
    return `if(${isExact}, ${jsonNumber(`${v}.2`)}, NULL)`;
  });
  return `multiIf(NOT match(${digits}, '^-?[0-9]+$'), ${text}, ${isKnown}, toString(${whole}), NULL)`;
}

function significant(digits: string): string {
  return `trim(BOTH '0' FROM replaceRegexpAll(replaceRegexpOne(${digits}, '[eE].*$', ''), '[^0-9]', ''))`;
}
