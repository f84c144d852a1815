/** Dialect of ClickHouse 26.7 with `CLICKHOUSE_SETTINGS`. See `values/literals.ts` for the representation of values. */
import type { Dialect } from '../dialect/dialect';
import { aggregates } from './aggregates';
import { addresses } from './calls/text/addresses';
import { arrays } from './calls/arrays/arrays';
import { failures } from './calls/failures';
import { bytes } from './calls/text/bytes';
import { codePoints } from './calls/text/code-points';
import { intervals } from './calls/time/intervals';
import { json } from './calls/json/json';
import { lambda, lambdas } from './calls/arrays/lambdas';
import { lists } from './calls/arrays/lists';
import { math } from './calls/numbers/math';
import { numbers } from './calls/numbers/numbers';
import { operators } from './calls/operators';
import { regexp } from './calls/text/regexp';
import { text } from './calls/text/text';
import { time } from './calls/time/time';
import { timeOfDay } from './calls/time/time-of-day';
import { cast } from './casts';
import { jsonField } from './parsing/json-fields';
import { typedList } from './values/lists';
import { castTo, literal, placeholder, quoteIdentifier, typeName } from './values/literals';
import { redacted } from './redacted';
import { finite } from './values/finite';
import { keyForm } from './values/keys';
import { orderKey } from './values/order-key';
import { randomOf } from './random';
import { rangeForm } from './range-frames';
import { inSubquery, subquery } from './subqueries';

export const clickHouse: Dialect = Object.freeze({
  name: 'clickhouse',
  quoteIdentifier,
  typeName,
  literal,
  placeholder,
  cast,
  lambda,
  randomOf,
  array: (items, type) => typedList(`[${items.join(', ')}]`, type),
  struct: (fields, type) => castTo(`tuple(${fields.map(({ sql }) => sql).join(', ')})`, type),
  structField: (base, index) => `tupleElement(${base}, ${index + 1})`,
  jsonField,
  redacted,
  subquery,
  inSubquery,
  finite,
  orderKey,
  rangeForm,
  keyForm,
  // ClickHouse computes equal expressions once.
  sharedPart: null,
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
