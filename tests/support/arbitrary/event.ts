/** Events of any shape, and the values that must be read back. */
import fc from 'fast-check';
import type { CatalogField } from '#compiler/catalog/catalog';

/** Few keys, so that values of every kind meet at the same paths; some are hard to name in SQL. */
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'A', 'b', 'a.b', '', '1') },
  { weight: 2, arbitrary: fc.constantFrom(`q"'`, '/~', '$[*]', '__proto__', 'é', 'select', '"; DROP TABLE x; --') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) }
);

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, '1', 'true', '2026-11-20', 2 ** 53 + 2, 1e300)
);

export const { record } = fc.letrec<{ record: unknown; value: unknown }>((tie) => ({
  record: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: tie('record') },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(tie('record'), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 2 }) }
  ),
}));

/** Columns of texts: every text that stands at their path must be in them. */
export function textLeaves(
  field: CatalogField,
  path: readonly string[] = []
): { path: readonly string[]; column: string }[] {
  if (field.kind === 'leaf')
    return field.type === 'STRING' && field.column !== null ? [{ path, column: field.column }] : [];
  if (field.kind !== 'record') return [];
  return [...field.fields].flatMap(([name, child]) => textLeaves(child, [...path, name]));
}

export function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  const isWrapped = Array.isArray(value) && value.length === 1;
  const at: unknown = isWrapped ? value[0] : value;
  if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name)) return undefined;
  return valueAt((at as Record<string, unknown>)[name], rest);
}

/** Reviver of JSON: whole numbers beyond INT64 are stored as texts. */
export function numberAsStored(_: string, value: unknown): unknown {
  const text = JSON.stringify(value);
  const isWhole = typeof value === 'number' && /^-?\d+$/.test(text);
  return isWhole && BigInt.asIntN(64, BigInt(text)) !== BigInt(text) ? text : value;
}

export function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isWrapped = value.length === 1 && typeof value[0] === 'object' && value[0] !== null;
    return isWrapped && !Array.isArray(value[0]) ? unwrapped(value[0]) : value.map(unwrapped);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unwrapped(item)]));
}
