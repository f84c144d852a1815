/**
 * Supplementary queries of Explore: log volume and log sample. Grafana requests the query synchronously; the real query
 * depends on the endpoint's tables and is created when it runs.
 */
import { SupplementaryQueryType, type SupplementaryQueryOptions } from '@grafana/data';
import type { LogEndpointsQuery } from '../types';
import { logSampleQuery, mayHaveSample } from './log-sample';
import { logVolumeQuery, mayHaveVolume, type VolumeContext } from './log-volume';

export const VOLUME_REF_ID = 'log-volume-';
const SAMPLE_REF_ID = 'log-sample-';

export function supplementaryQuery(
  options: SupplementaryQueryOptions,
  query: LogEndpointsQuery
): LogEndpointsQuery | undefined {
  if (options.type === SupplementaryQueryType.LogsVolume)
    return mayHaveVolume(query)
      ? { ...query, refId: `${VOLUME_REF_ID}${query.refId}`, supplement: { kind: 'volume' } }
      : undefined;
  return mayHaveSample(query)
    ? { ...query, refId: `${SAMPLE_REF_ID}${query.refId}`, supplement: { kind: 'sample', limit: options.limit } }
    : undefined;
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
