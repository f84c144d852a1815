import { LiveChannelScope, type LiveChannelAddress } from '@grafana/data';
import type { LogEndpointsQuery } from '../../types';

/** Address of the backend's live stream. The path depends on the query, so that an edited query gets a new stream. */
export function liveAddress(uid: string, query: LogEndpointsQuery): LiveChannelAddress {
  // Older versions of Grafana read the data source from `namespace`, newer ones from `stream`.
  return {
    scope: LiveChannelScope.DataSource,
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    namespace: uid,
    stream: uid,
    path: `tail/${digest(JSON.stringify(query))}`,
    data: query,
  };
}

/** FNV-1a with two start values, sufficient to distinguish queries that are open at the same time. */
function digest(text: string): string {
  return [0x811c9dc5, 0x01000193].map((start) => hash(text, start).toString(16).padStart(8, '0')).join('');
}

function hash(text: string, start: number): number {
  let value = start;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
