/** What Grafana does with an annotation of a data source: prepares it, runs its query, reads the events. */
import { CoreApp, type AnnotationEvent, type AnnotationQuery, type DataSourceApi } from '@grafana/data';
import { lastValueFrom } from 'rxjs';
import { deepFreeze } from './deep-freeze';
import { requestOf, runRequest } from './run-request';

let asked = 100;

/** The data source's own support wins over the host's; it is copied, so that nothing in it may rely on its object. */
export function annotationSupport(datasource: DataSourceApi) {
  return {
    prepareAnnotation: (stored: AnnotationQuery) => stored,
    prepareQuery: ({ target }: AnnotationQuery) => target,
    ...datasource.annotations,
  };
}

export async function annotationEvents(
  datasource: DataSourceApi,
  stored: AnnotationQuery
): Promise<readonly AnnotationEvent[]> {
  const support = annotationSupport(datasource);
  // The defaults of a query lie beside the query here, not in it.
  const annotation = support.prepareAnnotation(deepFreeze({ ...support.getDefaultQuery?.(), ...stored }));
  const target = annotation && support.prepareQuery(annotation);
  if (!target) return [];
  const request = requestOf(
    { ...target, refId: 'Anno' },
    {
      app: CoreApp.Dashboard,
      requestId: `AQ${asked++}`,
      scopedVars: { __annotation: { text: annotation.name, value: annotation } },
    }
  );
  const { series, errors } = await runRequest(datasource, request);
  if (errors.length > 0) throw new Error(errors[0]!.message);
  if (series.length === 0) return [];
  series.forEach((frame) => (frame.meta = { ...frame.meta, dataTopic: 'annotations' as never }));
  return (await lastValueFrom(support.processEvents!(annotation, [...series]))) ?? [];
}
