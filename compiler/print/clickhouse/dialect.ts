/** Dialect of ClickHouse 26.7 with `CLICKHOUSE_SETTINGS`. See `literals.ts` for the representation of values. */
import type { Dialect } from '../dialect';
import { aggregates } from './aggregates';
import { addresses } from './calls/addresses';
import { arrays } from './calls/arrays';
import { failures } from './calls/failures';
import { bytes } from './calls/bytes';
import { codePoints } from './calls/code-points';
import { intervals } from './calls/intervals';
import { json } from './calls/json';
import { lambda, lambdas } from './calls/lambdas';
import { lists } from './calls/lists';
import { math } from './calls/math';
import { numbers } from './calls/numbers';
import { operators } from './calls/operators';
import { regexp } from './calls/regexp';
import { text } from './calls/text';
import { time } from './calls/time';
import { timeOfDay } from './calls/time-of-day';
import { cast } from './casts';
import { jsonField } from './json-fields';
import { typedList } from './arrays/values';
import { castTo, literal, placeholder, quoteIdentifier, typeName } from './literals';
import { redacted } from './redacted';
import { finite } from './finite';
import { orderKey } from './order-key';
import { inSubquery, subquery } from './subqueries';

export const clickHouse: Dialect = Object.freeze({
  name: 'clickhouse',
  quoteIdentifier,
  typeName,
  literal,
  placeholder,
  cast,
  lambda,
  array: (items, type) => typedList(`[${items.join(', ')}]`, type),
  struct: (fields, type) => castTo(`tuple(${fields.map(({ sql }) => sql).join(', ')})`, type),
  structField: (base, index) => `tupleElement(${base}, ${index + 1})`,
  jsonField,
  redacted,
  subquery,
  inSubquery,
  finite,
  orderKey,
  calls: {
    ...operators,
    ...numbers,
    ...failures,
    ...math,
    ...text,
    ...regexp,
    ...time,
    ...timeOfDay,
    ...bytes,
    ...codePoints,
    ...addresses,
    ...intervals,
    ...arrays,
    ...lists,
    ...lambdas,
    ...json,
  },
  aggregates,
} satisfies Dialect);
