import { LiveChannelScope, type LiveChannelAddress } from '@grafana/data';
import type { LogEndpointsQuery } from '../types';

/** Where the backend streams what comes in. The path is another when the query is, so that an edited query is heard. */
export function liveAddress(uid: string, query: LogEndpointsQuery): LiveChannelAddress {
  // Older hosts read the data source from `namespace`, newer ones from `stream`.
  return {
    scope: LiveChannelScope.DataSource,
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    namespace: uid,
    stream: uid,
    path: `tail/${digest(JSON.stringify(query))}`,
    data: query,
  };
}

/** FNV-1a, twice with other beginnings: two queries that are open at once must differ, nothing more. */
function digest(text: string): string {
  return [0x811c9dc5, 0x01000193].map((start) => hash(text, start).toString(16).padStart(8, '0')).join('');
}

function hash(text: string, start: number): number {
  let value = start;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
