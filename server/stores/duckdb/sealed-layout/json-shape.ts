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

/** True for a text with a blank after colons and commas, as Python writes it. */
export function isSpaced(text: string): boolean {
  return /^\{"(?:[^"\\]|\\.)*": /.test(text);
}

function shapeOf(value: unknown): ValueShape {
  if (value === null) return 'null';
  if (typeof value === 'string') return needsEscapes(value) ? 'escaped' : 'text';
  if (typeof value !== 'object' || Array.isArray(value)) return 'value';
  return new Map(Object.entries(value).map(([key, child]) => [key, shapeOf(child)]));
}

function needsEscapes(text: string): boolean {
  return JSON.stringify(text).length !== text.length + 2;
}
