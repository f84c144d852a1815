/** The level of log events: where a table keeps it, and frames of counts by level as the host's log volume reads them. */
import { FieldType, type DataFrame } from '@grafana/data';
import type { DescribedTable } from '#contract/description';
import { below } from '../language/resolve-path';
import { lqlField } from './field-filters';

/** As the backend looks for it in log lines, in this order. */
const LEVEL_PATHS = ['level', 'severity', 'parsed.error_severity'];

/** @returns the field as LQL writes it; undefined where the table has none */
export function levelField({ columns }: DescribedTable, configured: string | undefined): string | undefined {
  const paths = configured ? [configured] : LEVEL_PATHS;
  const path = paths.find(
    (each) => isThere(columns, each.split('.')) || isThere(columns, ['metadata', ...each.split('.')])
  );
  return path && lqlField(path, columns);
}

function isThere(columns: DescribedTable['columns'], path: readonly string[]): boolean {
  const parents = below(columns, path.slice(0, -1));
  const level = path.length === 1 ? columns : parents;
  return level.some(({ name, fields }) => name === path[path.length - 1] && fields === undefined);
}

/** One frame for each series, its one label named `level`: the host takes name and colour of the bars from it. */
export function splitByLevel(frame: DataFrame): DataFrame[] {
  const time = frame.fields.find(({ type }) => type === FieldType.time);
  const counts = frame.fields.filter(({ type }) => type === FieldType.number);
  if (!time || counts.length === 0) return [frame];
  return counts.map((field) => {
    const [level] = Object.values(field.labels ?? {});
    return { ...frame, fields: [time, { ...field, labels: level === undefined ? {} : { level } }] };
  });
}
