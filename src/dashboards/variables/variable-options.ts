import { FieldType, type DataFrame, type Field } from '@grafana/data';
import { cellText } from '../../frames/cell-text';
import type { VariableQuery } from '../../types';

const MAX_OPTIONS = 10_000;

/**
 * Options of a dashboard variable: distinct values in order, as one frame with two text fields, which all versions of
 * Grafana support.
 *
 * @param search text typed by the user, with or without a trailing `*`
 */
export function variableFrame(
  frames: readonly DataFrame[],
  { valueField, labelField }: NonNullable<VariableQuery['variable']> = {},
  search = ''
): DataFrame {
  const texts = new Map<string, string>();
  for (const frame of frames) {
    const value = fieldOf(frame, valueField) ?? firstOfValues(frame);
    const label = fieldOf(frame, labelField) ?? value;
    for (let row = 0; value && row < frame.length && texts.size < MAX_OPTIONS; row++) {
      const one: unknown = value.values[row];
      const key = cellText(one);
      if (one !== null && one !== undefined && !texts.has(key)) texts.set(key, cellText(label?.values[row] ?? one));
    }
  }
  return optionsFrame(
    [...texts].map(([value, text]) => ({ value, text })),
    search
  );
}

export function optionsFrame(
  options: ReadonlyArray<{ readonly value: string; readonly text: string }>,
  search = ''
): DataFrame {
  const wanted = search.replace(/\*$/, '').toLowerCase();
  const found = options.filter(({ text }) => text.toLowerCase().includes(wanted));
  const column = (name: 'text' | 'value') => ({
    name,
    type: FieldType.string,
    config: {},
    values: found.map((each) => each[name]),
  });
  return { fields: [column('text'), column('value')], length: found.length };
}

/** The first column of texts; without one, the first that is no time, such as the group of an LQL chart. */
function firstOfValues({ fields }: DataFrame) {
  const isText = ({ type }: Field): boolean => type === FieldType.string;
  return fields.find(isText) ?? fields.find(({ type }) => type !== FieldType.time) ?? fields[0];
}

function fieldOf({ fields }: DataFrame, name: string | undefined) {
  return name ? fields.find((field) => field.name === name) : undefined;
}
