/** Numbers of JSON in the form of the JSON type. */
import { nameOnce } from '../../values/bind-once';

/**
 * Digits of a finite FLOAT64 in JSON: an exponent below 1e-4 and from 1e15 on; DuckDB uses one from 1e16 on.
 * @param shortest DuckDB's text of the number
 */
export function jsonNumber(shortest: string): string {
  const large = `regexp_replace(${shortest}, '^(-?[0-9])([0-9]{15})\\.([0-9]+)$', '\\1.\\2\\3e+15')`;
  return `regexp_replace(${large}, '\\.?0+(e\\+15)$', '\\1')`;
}

/** A number of a JSON text in the form of the JSON type. @param digits a short text. @param otherwise for others */
export function normalNumber(digits: string, otherwise: string): string {
  const whole = `TRY_CAST(${digits} AS HUGEINT)`;
  const isWhole = `regexp_extract(${digits}, '^-?[0-9]+$') <> ''`;
  const isKnown = `${whole} BETWEEN -9223372036854775808 AND 18446744073709551615`;
  const float = `TRY_CAST(${digits} AS DOUBLE)`;
  const text = nameOnce(`struct_pack(d := ${digits}, f := CAST(${float} AS VARCHAR))`, (v) => {
    return `(CASE WHEN ${significant(`${v}.d`)} = ${significant(`${v}.f`)} THEN ${jsonNumber(`${v}.f`)} ELSE ${otherwise} END)`;
  });
  return (
    `(CASE WHEN ${isWhole} THEN (CASE WHEN ${isKnown} THEN CAST(${whole} AS VARCHAR) ELSE ${otherwise} END) ` +
    `WHEN isfinite(${float}) THEN ${text} ELSE ${otherwise} END)`
  );
}

function significant(digits: string): string {
  return `trim(regexp_replace(regexp_replace(${digits}, '[eE].*$', ''), '[^0-9]', '', 'g'), '0')`;
}
