/** Dialect of DuckDB 1.5 with the session's TimeZone set to UTC, using functions of core, json and icu only. */
import { structPack } from './values/struct-pack';
import type { Dialect } from '../dialect/dialect';
import { aggregates } from './aggregates';
import { addresses } from './calls/text/addresses';
import { arrays } from './calls/arrays/arrays';
import { failures } from './calls/failures';
import { bytes } from './calls/text/bytes';
import { codePoints } from './calls/text/code-points';
import { intervals } from './calls/time/intervals';
import { json, sharedJson } from './calls/json/json';
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
import { finite } from './values/finite';
import { rangeForm } from './range-frames';
import { orderKey } from './values/order-key';
import { redacted } from './redacted';
import { inSubquery, subquery } from './subqueries';
import { literal, placeholder, quoteIdentifier, structNames, typeName } from './values/literals';

export const duckDb: Dialect = Object.freeze({
  name: 'duckdb',
  quoteIdentifier,
  typeName,
  literal,
  placeholder,
  cast,
  lambda,
  randomOf: null,
  array: (items, type) => (items.length === 0 ? `CAST([] AS ${typeName(type)})` : `[${items.join(', ')}]`),
  struct: (fields) => {
    const names = structNames(fields.map((field) => field.name));
    return structPack(fields.map((field, index) => [names[index] ?? '', field.sql]));
  },
  structField: (base, index) => `struct_extract_at(${base}, ${index + 1})`,
  jsonField,
  redacted,
  subquery,
  inSubquery,
  finite,
  orderKey,
  rangeForm,
  keyForm: () => null,
  sharedPart: sharedJson,
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
