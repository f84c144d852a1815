/** A slow reference encoder of JSON, with plain objects and `JSON.stringify`, to compare the encoders with. */
import type { TimestampStyle } from '#contract/queries/query';
import type { OutputType } from '#compiler/output/compiled-query';
import type { StoreValue } from '#server/stores/store-value';
import type { TestResult } from '../cases/results';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export function referenceRows({ fields, rows }: TestResult, style: TimestampStyle): readonly JsonValue[] {
  return rows.map((row) => objectOf(fields.map(({ name, type }, at) => [name, plain(type, row[at] ?? null, style)])));
}

function plain(type: OutputType, value: StoreValue, style: TimestampStyle): JsonValue {
  if (type.kind === 'RECORD_TEXT') return value === null ? (type.single ? [] : null) : record(value as string, type);
  if (value === null) return null;
  switch (type.kind) {
    case 'INT64':
      return integer(value as bigint);
    case 'FLOAT64':
      return Number.isFinite(value) ? (value as number) : null;
    case 'TIMESTAMP':
      return style === 'native' ? integer(value as bigint) : `${isoText(value as bigint)}Z`;
    case 'DATETIME':
      return style === 'native' ? isoText(value as bigint) : `${isoText(value as bigint)}Z`;
    case 'DATE':
      return new Date((value as number) * 86_400_000).toISOString().slice(0, 10);
    case 'ARRAY':
      return (value as readonly StoreValue[]).map((one) => plain(type.element, one, style));
    case 'STRUCT':
      return objectOf(
        type.fields.map((field, at) => [
          field.name,
          plain(field.type, (value as readonly StoreValue[])[at] ?? null, style),
        ])
      );
    default:
      return value as string | boolean;
  }
}

function integer(value: bigint): JsonValue {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function isoText(micros: bigint): string {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 19);
  return rest === 0n ? seconds : `${seconds}.${String(rest).padStart(6, '0')}`;
}

function record(text: string, type: { readonly single: boolean }): JsonValue {
  const wrapped = wrapNested(JSON.parse(text) as JsonValue);
  return type.single ? [wrapped] : wrapped;
}

/**
 * Objects below objects become arrays of one; elements of arrays stay; integers that lose digits in a reader become
 * texts.
 */
export function wrapNested(value: JsonValue): JsonValue {
  if (typeof value === 'number') return isUnsafe(value) ? String(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(wrapNested);
  return objectOf(
    Object.entries(value as { readonly [key: string]: JsonValue }).map(([key, child]) => {
      const isObject = child !== null && typeof child === 'object' && !Array.isArray(child);
      return [key, isObject ? [wrapNested(child)] : wrapNested(child)];
    })
  );
}

function isUnsafe(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !String(value).includes('e');
}

/** Also for names such as `__proto__`. */
function objectOf(entries: readonly (readonly [string, JsonValue])[]): JsonValue {
  return Object.fromEntries(entries);
}
