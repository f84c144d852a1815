/**
 * What a stored annotation becomes before it is edited or asked. The host compares what comes back with what it handed over, stores it when it is
 * another object, and prepares that one again: the answer to a prepared annotation is that annotation.
 */
import type { AnnotationQuery } from '@grafana/data';
import { defaultBounds, SCHEMA_VERSION } from '../query/defaults';
import { migrateQuery } from '../query/migrate';
import type { LogEndpointsQuery } from '../types';

/** The query of newer dashboards lies in `query.spec`; `target` is a copy of it. */
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

/** Answers by what was handed over, with its text: an annotation that was changed in place is another one. */
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

/** Of a new annotation, or of one that another data source had. */
function isEmpty({ endpoint, mode, sql, lql, params }: LogEndpointsQuery): boolean {
  return [endpoint, mode, sql, lql, params].every((each) => each === undefined);
}
