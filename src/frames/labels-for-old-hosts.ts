/** Grafana before 10.2.1 reads the object column of a log frame under the name `attributes`, later ones under `labels`. */
import { FieldType, type DataFrame } from '@grafana/data';

export function namesLabelsAttributes(hostVersion: string): boolean {
  const [major = 0, minor = 0, patch = 0] = hostVersion.split(/[.+-]/, 3).map(Number);
  return major < 10 || (major === 10 && (minor < 2 || (minor === 2 && patch < 1)));
}

/** Log frames with the column renamed; all others as they are. */
export function renameLabels(frame: DataFrame): DataFrame {
  if (frame.meta?.preferredVisualisationType !== 'logs') return frame;
  return {
    ...frame,
    fields: frame.fields.map((field) =>
      field.name === 'labels' && field.type === FieldType.other ? { ...field, name: 'attributes' } : field
    ),
  };
}

/** The same for a frame that the host goes on filling: it must stay the object that it is. */
export function renameStreamedLabels(frame: DataFrame): void {
  if (frame.meta?.preferredVisualisationType !== 'logs') return;
  for (const field of frame.fields)
    if (field.name === 'labels' && field.type === FieldType.other) field.name = 'attributes';
}
