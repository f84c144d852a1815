/** Dialect of DuckDB 1.5 with the session's TimeZone set to UTC, using functions of core, json and icu only. */
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
import { finite } from './finite';
import { orderKey } from './order-key';
import { redacted } from './redacted';
import { inSubquery, subquery } from './subqueries';
import { literal, placeholder, quoteIdentifier, structNames, typeName } from './literals';

export const duckDb: Dialect = Object.freeze({
  name: 'duckdb',
  quoteIdentifier,
  typeName,
  literal,
  placeholder,
  cast,
  lambda,
  array: (items, type) => (items.length === 0 ? `CAST([] AS ${typeName(type)})` : `[${items.join(', ')}]`),
  struct: (fields) => {
    const names = structNames(fields.map((field) => field.name));
    return `struct_pack(${fields.map((field, index) => `${names[index]} := ${field.sql}`).join(', ')})`;
  },
  structField: (base, index) => `struct_extract_at(${base}, ${index + 1})`,
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
