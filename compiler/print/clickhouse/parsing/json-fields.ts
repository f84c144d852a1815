/**
 * Reads nested fields from the JSON text that ingestion wrote. Values of an unexpected form read as NULL and never fail
 * the query.
 */
import type { JsonFieldExpr } from '../../../ir/expression';
import type { Type } from '../../../ir/types';
import { SCALAR_FORMS } from '../../base/json/json';
import { nameOnce } from '../values/bind-once';
import { listOf } from '../values/lists';
import { castTo, quoteText } from '../values/literals';
import { unmarkedJson, withMarkedNumbers } from './json-text';

export function jsonField(base: string, { path, type }: Pick<JsonFieldExpr, 'path' | 'type'>): string {
  const raw = `JSONExtractRaw(ifNull(${base}, ''), ${path.map(quoteText).join(', ')})`;
  if (type.kind === 'ARRAY') {
    return nameOnce(raw, (v) => {
      const items = castTo(listOf(`arrayMap(v -> ${valueOf('v', type.element)}, ${itemsOf(v)})`), type);
      return `if(startsWith(${v}, '['), ${items}, NULL)`;
    });
  }
  return nameOnce(raw, (v) => castTo(valueOf(v, type), type));
}

/**
 * ClickHouse writes fractions below 1e21 as whole numbers, and does not read those of more than 64 bits again.
 *
 * @param raw JSON text of an array, a short text
 */
function itemsOf(raw: string): string {
  const items = `JSONExtractArrayRaw(${raw})`;
  const large = `arrayMap(x -> ${unmarkedJson('x')}, JSONExtractArrayRaw(${withMarkedNumbers(raw)}))`;
  return `if(${raw} = '[]' OR notEmpty(${items}), ${items}, ${large})`;
}

/** @param raw JSON text of the value, a short text; empty if absent */
function valueOf(raw: string, type: Type): string {
  switch (type.kind) {
    case 'RECORD':
    case 'SINGLE':
      // An array of one object is treated as that object.
      return (
        `multiIf(startsWith(${raw}, '{'), ${raw}, startsWith(${raw}, '[{') AND JSONLength(${raw}) = 1, ` +
        `JSONExtractRaw(${raw}, 1), NULL)`
      );
    case 'STRING':
      return `multiIf(startsWith(${raw}, '"'), JSONExtractString(${raw}), ${raw} IN ('', 'null'), NULL, ${raw})`;
    default:
      return scalarOf(raw, type);
  }
}

function scalarOf(raw: string, type: Type): string {
  const form = SCALAR_FORMS[type.kind];
  if (form === undefined) throw new Error(`JSON text holds no ${type.kind}`);
  const value =
    type.kind === 'INT64'
      ? `toInt64OrNull(${raw})`
      : type.kind === 'FLOAT64'
        ? `toFloat64OrNull(${raw})`
        : `${raw} = 'true'`;
  return `if(match(${raw}, ${quoteText(form)}), ${value}, NULL)`;
}
