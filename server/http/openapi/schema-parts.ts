/** Parts that schemas of answers share. */
import type { JsonSchema } from './json-types';

export const TEXT: JsonSchema = { type: 'string' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
export const MAYBE_COUNT: JsonSchema = { type: ['integer', 'null'], minimum: 0 };
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };
export const MAYBE_TIME: JsonSchema = { type: ['string', 'null'], format: 'date-time' };

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object whose first properties are always there. */
export function objectOf(required: Properties, optional: Properties = {}): JsonSchema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}
