/**
 * Converts log events and rows to annotations: the first time field is the time, the message or first text field the
 * text, labels are tags.
 */
import {
  FieldType,
  type AnnotationEvent,
  type AnnotationEventMappings,
  type AnnotationSupport,
  type DataFrame,
  type Field,
} from '@grafana/data';
import { of } from 'rxjs';
import { cellText } from '../../frames/cell-text';
import type { LogEndpointsQuery } from '../../types';
import { mappedValue } from './mapped-value';
import { defaultAnnotationQuery, prepareAnnotation } from './prepare-annotation';

const MAX_TAGS = 10;
const END_NAME = /^(timeEnd|time_end|end)$/;
/** Times among labels, and days, as the backend writes them. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TEXT_NAMES = ['text', 'body', 'event_message', 'title'];

export const annotations: AnnotationSupport<LogEndpointsQuery> = {
  getDefaultQuery: defaultAnnotationQuery,
  prepareAnnotation,
  processEvents: ({ mappings }, frames) => of(frames.flatMap((frame) => annotationEvents(frame, mappings))),
};

export function annotationEvents(frame: DataFrame, mappings: AnnotationEventMappings = {}): AnnotationEvent[] {
  const { fields } = frame;
  const time = fields.find(({ type }) => type === FieldType.time) ?? fields.find(isOfDays);
  const end = fields.find((field) => END_NAME.test(field.name) && isOfTimes(field) && field.name !== time?.name);
  const text =
    TEXT_NAMES.map((wanted) => fields.find(({ name }) => name === wanted)).find(Boolean) ??
    fields.find(({ type, name }) => type === FieldType.string && ![time?.name, end?.name, 'id', 'tsNs'].includes(name));
  const labels = fields.find(
    ({ name, type }) => type === FieldType.other && (name === 'labels' || name === 'attributes')
  );
  const id = fields.find(({ name }) => name === 'id');
  const chosen = (part: keyof AnnotationEvent) => mappedValue(frame, mappings[part]);
  const timeOf = chosen('time') ?? (time && ((row: number): unknown => time.values[row]));
  if (!timeOf) return [];
  const endOf =
    chosen('timeEnd') ?? ((row: number): unknown => (end ? end.values[row] : labeledEnd(labels?.values[row])));
  const titleOf = chosen('title');
  const textOf = chosen('text') ?? ((row: number): unknown => text?.values[row]);
  const tagsAt = chosen('tags');
  const idOf = chosen('id') ?? (id && ((row: number): unknown => id.values[row]));
  return Array.from({ length: frame.length }, (_, row) => row).flatMap((row): AnnotationEvent[] => {
    const at = millisOf(timeOf(row));
    if (!Number.isFinite(at)) return [];
    const endAt = millisOf(endOf(row));
    const event = {
      id: idOf && cellText(idOf(row)),
      time: at,
      ...(Number.isFinite(endAt) ? { timeEnd: endAt, isRegion: true } : {}),
      ...(titleOf ? { title: cellText(titleOf(row)) } : {}),
      text: cellText(textOf(row)),
      tags: tagsAt ? splitTags(tagsAt(row)) : tagsOf(labels?.values[row]),
    };
    return [event];
  });
}

function isOfTimes(field: Field): boolean {
  return field.type === FieldType.time || isOfDays(field);
}

/** Tables have days as texts. */
function isOfDays({ type, values }: Field): boolean {
  const days = values.filter((value) => value !== null);
  return type === FieldType.string && days.length > 0 && days.every((value) => DAY.test(cellText(value)));
}

function millisOf(value: unknown): number {
  return typeof value === 'string' && ISO_TIME.test(value) ? Date.parse(value) : Number(value ?? NaN);
}

/** In the format Logs, all columns but time and text are labels. */
function labeledEnd(labels: unknown): unknown {
  if (typeof labels !== 'object' || labels === null) return undefined;
  return Object.entries(labels).find(([name, value]) => END_NAME.test(name) && ISO_TIME.test(cellText(value)))?.[1];
}

function splitTags(value: unknown): string[] {
  return cellText(value)
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

function tagsOf(labels: unknown): string[] {
  if (typeof labels !== 'object' || labels === null) return [];
  return Object.entries(labels)
    .slice(0, MAX_TAGS)
    .map(([name, value]) => `${name}: ${cellText(value)}`);
}
