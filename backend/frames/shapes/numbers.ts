/**
 * Converts columns without a time to numbers for expressions and alert rules: one row, with a field per number and
 * label set.
 */
import { PluginError } from '../../service-client/failures/plugin-error';
import { dataOf, valueAt } from '../column-data';
import { type FrameField, isNumeric } from '../frame';
import type { ResultColumns } from '../read-result';
import { labelText } from './label-text';
import { isDimension, type SeriesFields, valueConfig } from './time-series';

const MAX_NUMBERS = 1_000;

export function numbers({ columns, length }: ResultColumns): SeriesFields {
  const values = columns.filter(isNumeric);
  const dimensions = columns.filter(isDimension);
  if (length * values.length > MAX_NUMBERS)
    throw new PluginError(
      'shape_unfit',
      `This query returns ${length * values.length} numbers; at most ${MAX_NUMBERS} can be evaluated.`,
      {
        status: 400,
        hint: 'group by a column with fewer values',
      }
    );
  if (dimensions.length === 0 && length > 1)
    throw new PluginError(
      'shape_unfit',
      'An alert rule needs one number for each set of labels; this query returns several rows without labels.',
      {
        status: 400,
        hint: 'aggregate to one row, or select a text column that tells the rows apart',
      }
    );
  const labelsOf = dimensions.map((column) => labelText(column, length));
  const seen = new Set<string>();
  const fields: FrameField[] = [];
  for (let row = 0; row < length; row++) {
    const labels = Object.fromEntries(dimensions.map(({ name }, index) => [name, labelsOf[index]!(row)]));
    const key = JSON.stringify(labels);
    if (seen.has(key))
      throw new PluginError(
        'shape_unfit',
        'An alert rule needs one number for each set of labels; this query returns several rows with the same labels.',
        {
          status: 400,
          hint: 'group by all the text columns that are selected',
        }
      );
    seen.add(key);
    for (const column of values) {
      const { name, kind } = column;
      fields.push({ name, kind, labels, data: dataOf(kind, [valueAt(column)(row)]), config: valueConfig(name) });
    }
  }
  return { fields, length: fields.length > 0 ? 1 : 0 };
}
