/** Log events and rows as annotations: the first time is when, the message or first text what, labels are tags. */
import { FieldType, type AnnotationEvent, type AnnotationSupport, type DataFrame } from '@grafana/data';
import { of } from 'rxjs';
import { defaultBounds, SCHEMA_VERSION } from '../query/defaults';
import { migrateQuery } from '../query/migrate';
import type { LogEndpointsQuery } from '../types';

const MAX_TAGS = 10;
const TEXT_NAMES = ['text', 'body', 'event_message', 'title'];

export const annotations: AnnotationSupport<LogEndpointsQuery> = {
  getDefaultQuery: () => ({
    schemaVersion: SCHEMA_VERSION,
    endpoint: { name: 'logs.all' },
    mode: 'saved',
    format: 'logs',
    params: defaultBounds(),
  }),
  prepareAnnotation: (stored) => (stored.target ? { ...stored, target: migrateQuery(stored.target) } : stored),
  processEvents: (_annotation, frames) => of(frames.flatMap(annotationEvents)),
};

export function annotationEvents(frame: DataFrame): AnnotationEvent[] {
  const { fields } = frame;
  const time = fields.find(({ type }) => type === FieldType.time);
  const end = fields.find(
    ({ name, type }) => /^(timeEnd|time_end|end)$/.test(name) && type === FieldType.time && name !== time?.name
  );
  const text =
    TEXT_NAMES.map((wanted) => fields.find(({ name }) => name === wanted)).find(Boolean) ??
    fields.find(({ type, name }) => type === FieldType.string && name !== 'id' && name !== 'tsNs');
  const labels = fields.find(
    ({ name, type }) => type === FieldType.other && (name === 'labels' || name === 'attributes')
  );
  const id = fields.find(({ name }) => name === 'id');
  if (!time) return [];
  return Array.from({ length: frame.length }, (_, row) => ({
    id: id && String(id.values[row]),
    time: Number(time.values[row]),
    ...(end?.values[row] ? { timeEnd: Number(end.values[row]), isRegion: true } : {}),
    text: text ? String(text.values[row] ?? '') : '',
    tags: tagsOf(labels?.values[row]),
  }));
}

function tagsOf(labels: unknown): string[] {
  if (typeof labels !== 'object' || labels === null) return [];
  return Object.entries(labels)
    .slice(0, MAX_TAGS)
    .map(([name, value]) => `${name}: ${String(value)}`);
}
