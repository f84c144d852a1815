/** Types of JSON values, the common type of two types, and the text of a value for a column of a type. */
import type { ScalarType } from '#contract/events/source';
import { Token } from '../../../common/json/json-token';
import type { JsonScalar } from '../../../common/json/json-tree';

/** True when the store's JSON reader puts the value unchanged into a column of the type. */
export function fitsAsWritten(type: ScalarType, token: Token): boolean {
  switch (type) {
    case 'STRING':
      return token === Token.string || token === Token.integer || token === Token.true || token === Token.false;
    case 'INT64':
      return token === Token.integer;
    case 'FLOAT64':
      return token === Token.integer || token === Token.float;
    case 'BOOL':
      return token === Token.true || token === Token.false;
  }
}

/** Type of a field after its first value. Numbers that no number type represents exactly are text. */
export function typeOfScalar(scalar: JsonScalar): ScalarType {
  switch (scalar.token) {
    case Token.integer:
      return 'INT64';
    case Token.float:
      return 'FLOAT64';
    case Token.true:
    case Token.false:
      return 'BOOL';
    case Token.oddNumber:
      if (scalar.text === '-0') return 'INT64';
      return /[.eE]/.test(scalar.text) && Number.isFinite(Number(scalar.text)) ? 'FLOAT64' : 'STRING';
    default:
      return 'STRING';
  }
}

/** The narrowest type for the values of both types. */
export function widerType(a: ScalarType, b: ScalarType): ScalarType {
  if (a === b) return a;
  const areNumbers = (a === 'INT64' || a === 'FLOAT64') && (b === 'INT64' || b === 'FLOAT64');
  return areNumbers ? 'FLOAT64' : 'STRING';
}

/**
 * JSON text of the value for a column of the type, or null when it does not fit. A quoted number or boolean counts as
 * its value, because shippers often quote numbers.
 */
export function textForColumn(type: ScalarType, scalar: JsonScalar): string | null {
  const { token, text } = scalar;
  switch (type) {
    case 'STRING':
      return JSON.stringify(text);
    case 'BOOL':
      return text === 'true' || text === 'false' ? text : null;
    case 'INT64':
      return integerText(token, text);
    case 'FLOAT64':
      return floatText(token, text);
  }
}

function integerText(token: Token, text: string): string | null {
  if (token === Token.integer) return text;
  if (token === Token.true || token === Token.false) return null;
  if (token === Token.string && !/^-?\d{1,18}(\.0+)?$/.test(text)) return null;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && text.length <= 18) return String(BigInt(text));
  return Number.isSafeInteger(value) ? String(value + 0) : null;
}

function floatText(token: Token, text: string): string | null {
  if (token === Token.true || token === Token.false) return null;
  if (token === Token.string && !/^-?\d{1,100}(\.\d{1,100})?([eE][+-]?\d{1,3})?$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? (token === Token.string ? JSON.stringify(value) : text) : null;
}
