/**
 * How Grafana reads the options of a variable from frames: by the names `text` and `value`, of fields of strings alone.
 */
import { FieldType, getFieldDisplayName, type DataFrame } from '@grafana/data';

export interface Option {
  readonly text: string;
  readonly value: string;
}

export function metricFindValues(frames: readonly DataFrame[]): Option[] {
  return frames.flatMap((frame) => {
    const strings = frame.fields.filter(({ type }) => type === FieldType.string);
    if (strings.length === 0) throw new Error('no field of strings in the options');
    const named = (wanted: string) =>
      strings.find((field) => getFieldDisplayName(field, frame, [...frames]).toLowerCase() === wanted);
    const text = named('text') ?? named('value') ?? strings[0]!;
    const value = named('value') ?? text;
    return Array.from({ length: frame.length }, (_, row) => ({
      text: String(text.values[row]),
      value: String(value.values[row]),
    }));
  });
}
