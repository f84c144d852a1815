/** Literals and parameters. */
import type { LiteralExpression, ParameterExpression, SourcePosition, TypedLiteralExpression } from '../../ast';
import type { Value } from '../../functions/function';
import { normalJson } from '../../functions/json/normal-json';
import type { BoundExpr, Expr } from '../../ir/expression';
import { BOOL, BYTES, FLOAT64, INT64, JSON_TYPE, NULL_TYPE, STRING, type Type } from '../../ir/types';
import { boundValue, parseConstant, timeTextHint } from '../types/coerce';
import { expressionKey } from '../../ir/passes/expression-key';
import { failure } from '../failure';
import { FALSE, nullOf, TRUE } from './fold-conditions';
import type { ExpressionContext } from './expression-context';
import { didYouMean } from '#contract/nearest-name';
import { valueOf } from './values/value-of';

export function resolveLiteral({ literal, position }: LiteralExpression): Value {
  switch (literal.type) {
    case 'string': {
      const key = `'${literal.value}`;
      const expr: BoundExpr = {
        kind: 'bound',
        key,
        type: STRING,
        value: boundValue(literal.value, STRING),
        failure: null,
      };
      return valueOf(expr, STRING, position, 'literal');
    }
    case 'bytes':
      return bytesValue(literal.hex, position);
    case 'integer':
      return valueOf({ kind: 'literal', type: INT64, value: BigInt(literal.digits) }, INT64, position);
    case 'float':
      return valueOf({ kind: 'literal', type: FLOAT64, value: literal.value }, FLOAT64, position);
    case 'bool':
      return valueOf(literal.value ? TRUE : FALSE, BOOL, position);
    case 'null':
      return valueOf(nullOf(NULL_TYPE), NULL_TYPE, position);
  }
}

function bytesValue(hex: string, position: SourcePosition): Value {
  const value = boundValue(hex, BYTES);
  return valueOf({ kind: 'bound', key: `bytes:${hex}`, type: BYTES, value, failure: null }, BYTES, position);
}

/** @throws type_mismatch for a text that is not of the type */
export function resolveTypedLiteral(literal: TypedLiteralExpression): Value {
  if (literal.type === 'JSON') return resolveJsonLiteral(literal);
  const type: Type = { kind: literal.type };
  const value = parseConstant(literal.text, type, 'literal');
  if (value === undefined) {
    throw failure('type_mismatch', `"${literal.text}" is not a ${literal.type}`, literal.position, {
      hint: timeTextHint(literal.text, type),
    });
  }
  return valueOf({ kind: 'literal', type, value }, type, literal.position);
}

function resolveJsonLiteral({ text, position }: TypedLiteralExpression): Value {
  const json = normalJson(text);
  if (json === undefined) {
    throw failure('type_mismatch', `"${text.slice(0, 60)}" is not JSON`, position, {
      hint: `write it as JSON '{"level": "error"}'`,
    });
  }
  const value = boundValue(json, JSON_TYPE);
  return valueOf({ kind: 'bound', key: `json:${json}`, type: JSON_TYPE, value, failure: null }, JSON_TYPE, position);
}

export function resolveParameter(r: ExpressionContext, { name, position }: ParameterExpression): Value {
  const { parameters } = r.resolution.input;
  const declared = Object.keys(parameters);
  if (!Object.hasOwn(parameters, name)) {
    throw failure('unknown_parameter', `unknown parameter "@${name}"${didYouMean(name, declared)}`, position, {
      name,
      hint:
        declared.length === 0
          ? 'this query declares no parameters'
          : `declared: ${declared.map((d) => `@${d}`).join(', ')}`,
    });
  }
  r.resolution.usedParameters.add(name);
  const value = parameters[name] ?? null;
  const expr: BoundExpr = {
    kind: 'bound',
    key: `@${name}`,
    type: STRING,
    value: { type: 'STRING', value },
    failure: null,
  };
  return valueOf(expr, STRING, position, 'parameter');
}

/** A folded constant: text is bound under its own key, everything else is a literal. */
export function constantLike(from: Expr, value: string | bigint | number | boolean | null, type: Type): Expr {
  if (typeof value !== 'string') return { kind: 'literal', type, value };
  return {
    kind: 'bound',
    key: `=${type.kind}:${expressionKey(from)}`,
    type,
    value: boundValue(value, type),
    failure: null,
  };
}
