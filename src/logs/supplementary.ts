/**
 * What Explore shows beside a query: how many lines there are, and a page of the lines behind a count. The host asks for the query at once;
 * what it must be depends on the endpoint's tables, and is made when it runs.
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

/** @returns the query itself where it asks for nothing of the kind; undefined where there is nothing to show */
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
