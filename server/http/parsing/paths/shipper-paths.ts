/**
 * Recognizes paths of shippers' protocols, those without a route too: a client of the protocol reads no other form of
 * errors.
 */
import { BULK_ROUTES, ELASTICSEARCH_ROUTES, SPLUNK_ROUTES } from '#contract/routes/shipper-routes';

export type ShipperProtocol = 'elasticsearch' | 'splunk';

const OF_ROUTE: ReadonlyMap<string, ShipperProtocol> = new Map([
  ...[...ELASTICSEARCH_ROUTES, ...BULK_ROUTES].map(({ path }) => [path, 'elasticsearch'] as const),
  ...SPLUNK_ROUTES.map(({ path }) => [path, 'splunk'] as const),
]);

/** Names below that of an index, by which clients of Elasticsearch write, read and set up. */
const OF_INDEX = '_(?:alias|bulk|count|create|doc|mapping|msearch|refresh|rollover|search|settings|source|update)';
const ELASTICSEARCH = new RegExp(`^/(?:elasticsearch(?:/|$)|_|[^/]+/${OF_INDEX}(?:/|$))`);
const SPLUNK = /^\/services\/collector(?:\/|$)/;

/** @param route pattern of the path, which has none when it is unknown or not routed yet */
export function shipperProtocolOf(route: string | undefined, target: string): ShipperProtocol | null {
  if (route !== undefined) return OF_ROUTE.get(route) ?? null;
  const [path = ''] = target.split('?', 1);
  if (SPLUNK.test(path)) return 'splunk';
  return ELASTICSEARCH.test(path) ? 'elasticsearch' : null;
}
