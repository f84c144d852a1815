/**
 * Prepares a stored annotation for editing and running. Grafana compares the result with its argument, stores a
 * different object, and prepares that again: preparing a prepared annotation must return the same object.
 */
import type { AnnotationQuery } from '@grafana/data';
import { defaultBounds, SCHEMA_VERSION } from '../../query/defaults';
import { migrateQuery } from '../../query/migrate';
import type { LogEndpointsQuery } from '../../types';

/** Newer dashboards store the query in `query.spec`; `target` is a copy. */
type Stored = AnnotationQuery<LogEndpointsQuery> & { readonly query?: { readonly spec?: LogEndpointsQuery } };

export function defaultAnnotationQuery(): Partial<LogEndpointsQuery> {
  return {
    schemaVersion: SCHEMA_VERSION,
    endpoint: { name: 'logs.all' },
    mode: 'saved',
    format: 'logs',
    params: defaultBounds(),
  };
}

/** Results by argument and its serialized text, because an annotation may be changed in place. */
const prepared = new WeakMap<Stored, { readonly of: string; readonly annotation: Stored }>();

export function prepareAnnotation(stored: Stored): Stored {
  const target = stored.target ?? stored.query?.spec;
  const wanted = migrateQuery(
    target && !isEmpty(target) ? target : { refId: 'Anno', ...target, ...defaultAnnotationQuery() }
  );
  if (wanted === stored.target) return stored;
  const of = JSON.stringify(stored);
  const known = prepared.get(stored);
  if (known?.of === of) return known.annotation;
  const annotation = { ...stored, target: wanted };
  prepared.set(stored, { of, annotation });
  return annotation;
}

/** Whether the annotation is new or was made for another data source. */
function isEmpty({ endpoint, mode, sql, lql, params }: LogEndpointsQuery): boolean {
  return [endpoint, mode, sql, lql, params].every((each) => each === undefined);
}
