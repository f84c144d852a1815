/** Shape of a JSON object: its keys in order, and what has to be known of each value to write it again. */

/** `escaped`: a text with a character that JSON escapes. `value`: a number, a boolean or an array. */
export type ValueShape = 'null' | 'text' | 'escaped' | 'value' | RecordShape;

export type RecordShape = ReadonlyMap<string, ValueShape>;

/** @returns null for a text that is no JSON object */
export function shapeOfText(text: string): RecordShape | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const shape = shapeOf(value);
  return typeof shape === 'string' ? null : shape;
}

/** Equal for equal shapes. */
export function shapeKey(shape: ValueShape): string {
  if (typeof shape === 'string') return shape;
  return `{${[...shape].map(([key, value]) => `${JSON.stringify(key)}:${shapeKey(value)}`).join(',')}}`;
}

/** Number of keys, those of nested records included. */
export function countKeys(shape: ValueShape): number {
  return typeof shape === 'string' ? 0 : [...shape.values()].reduce((sum, value) => sum + 1 + countKeys(value), 0);
}

/**
 * Each text of a JSON text, one after the other: a match that began within a text would read the rest of it for
 * nothing.
 */
const TEXTS = /("[^"\\]*(?:\\.[^"\\]*)*")(:-?\d+\.0[,}])?/g;

/** Keys, as JSON texts, whose values are whole numbers with a point, such as 2.0. @param json without blanks */
export function pointedKeys(json: string): string[] {
  return [...json.matchAll(TEXTS)].flatMap(([, key, value]) => (value === undefined ? [] : [key!]));
}

function shapeOf(value: unknown): ValueShape {
  if (value === null) return 'null';
  if (typeof value === 'string') return needsEscapes(value) ? 'escaped' : 'text';
  if (typeof value !== 'object' || Array.isArray(value)) return 'value';
  return new Map(Object.entries(value).map(([key, child]) => [key, shapeOf(child)]));
}

/** Characters that `JSON.stringify` escapes. */
const ESCAPED = /["\\\p{Surrogate}]|[^\P{Cc}\u007f-\u009f]/u;

function needsEscapes(text: string): boolean {
  return ESCAPED.test(text);
}
