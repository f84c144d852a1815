/**
 * Supplementary queries of Explore: log volume and log sample. Grafana requests the query synchronously; a real query
 * that depends on tables of the endpoint which are not known yet is created when it runs.
 */
import { SupplementaryQueryType, type SupplementaryQueryOptions } from '@grafana/data';
import type { EndpointResource } from '#contract/plugin/resources';
import type { LogEndpointsQuery } from '../types';
import { logSampleQuery, mayHaveSample } from './log-sample';
import { logVolumeQuery, mayHaveVolume, type VolumeContext } from './log-volume';

export const VOLUME_REF_ID = 'log-volume-';
const SAMPLE_REF_ID = 'log-sample-';

/** @param detail of the endpoint; undefined: not known yet */
export function supplementaryQuery(
  options: SupplementaryQueryOptions,
  query: LogEndpointsQuery,
  detail: EndpointResource | undefined
): LogEndpointsQuery | undefined {
  if (options.type === SupplementaryQueryType.LogsVolume)
    return mayHaveVolume(query)
      ? { ...query, refId: `${VOLUME_REF_ID}${query.refId}`, supplement: { kind: 'volume' } }
      : undefined;
  const sample = mayHaveSample(query) ? sampleOf(query, detail, options.limit) : undefined;
  return sample && { ...sample, refId: `${SAMPLE_REF_ID}${query.refId}` };
}

/** The real query where it is known: Grafana opens it in a second pane, whose editor shows it. */
function sampleOf(
  query: LogEndpointsQuery,
  detail: EndpointResource | undefined,
  limit: number | undefined
): LogEndpointsQuery | undefined {
  if (query.mode === 'lql' || detail) return logSampleQuery(query, detail, limit);
  return { ...query, supplement: { kind: 'sample', limit } };
}

/** @returns the query itself if it is not a supplementary one; undefined if there is nothing to show */
export async function resolveSupplement(
  { supplement, ...query }: LogEndpointsQuery,
  context: VolumeContext
): Promise<LogEndpointsQuery | undefined> {
  switch (supplement?.kind) {
    case 'volume':
      return logVolumeQuery(query, context);
    case 'sample':
      return logSampleQuery(query, context.detail, supplement.limit);
    default:
      return query;
  }
}
