/**
 * Renames labels: Grafana before 10.2.1 reads the object column of a log frame as `attributes`, later versions as
 * `labels`.
 */
import { FieldType, type DataFrame } from '@grafana/data';

export function namesLabelsAttributes(hostVersion: string): boolean {
  const [major = 0, minor = 0, patch = 0] = hostVersion.split(/[.+-]/, 3).map(Number);
  return major < 10 || (major === 10 && (minor < 2 || (minor === 2 && patch < 1)));
}

/** Renames the column of log frames; returns other frames unchanged. */
export function renameLabels(frame: DataFrame): DataFrame {
  if (frame.meta?.preferredVisualisationType !== 'logs') return frame;
  return {
    ...frame,
    fields: frame.fields.map((field) =>
      field.name === 'labels' && field.type === FieldType.other ? { ...field, name: 'attributes' } : field
    ),
  };
}

/** Renames in place, for a frame that Grafana keeps filling. */
export function renameStreamedLabels(frame: DataFrame): void {
  if (frame.meta?.preferredVisualisationType !== 'logs') return;
  for (const field of frame.fields)
    if (field.name === 'labels' && field.type === FieldType.other) field.name = 'attributes';
}
