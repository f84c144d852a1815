/**
 * Routes of the protocols of Elasticsearch and Splunk, for shippers that speak them. Their answers follow those
 * protocols, so that a shipper knows what to send again.
 */
import type { Route } from './route';

const BULK = { methods: ['POST', 'PUT'], scope: 'ingest', isUncounted: true } as const;
const QUESTION = { methods: ['GET'], scope: 'ingest', isUncounted: true } as const;
const SETUP = { methods: ['GET', 'PUT'], scope: 'ingest', isUncounted: true } as const;

export const ELASTICSEARCH_ROUTES = [
  {
    ...BULK,
    id: 'bulk',
    path: '/elasticsearch/_bulk',
    purpose: 'Store documents sent as a bulk request of Elasticsearch.',
  },
  {
    ...BULK,
    id: 'bulkOfIndex',
    path: '/elasticsearch/{index}/_bulk',
    purpose: 'The same; the path names the index of actions that name none.',
  },
  {
    ...QUESTION,
    id: 'elasticsearch',
    path: '/elasticsearch',
    purpose: 'Version that clients of Elasticsearch ask for when they start.',
  },
  { ...QUESTION, id: 'elasticsearchSlash', path: '/elasticsearch/', purpose: 'The same.' },
  { ...QUESTION, id: 'license', path: '/elasticsearch/_license', purpose: 'License that Filebeat asks for.' },
  {
    ...QUESTION,
    id: 'clusterHealth',
    path: '/elasticsearch/_cluster/health',
    purpose: 'State that clients of Elasticsearch ask for.',
  },
  {
    ...SETUP,
    id: 'indexTemplate',
    path: '/elasticsearch/_index_template/{index}',
    purpose: 'Says that there is such a template; one that is sent is ignored.',
  },
  { ...SETUP, id: 'legacyTemplate', path: '/elasticsearch/_template/{index}', purpose: 'The same.' },
  { ...SETUP, id: 'componentTemplate', path: '/elasticsearch/_component_template/{index}', purpose: 'The same.' },
  {
    ...SETUP,
    id: 'lifecyclePolicy',
    path: '/elasticsearch/_ilm/policy/{index}',
    purpose: 'The same for policies of retention, which the source sets.',
  },
  {
    ...SETUP,
    id: 'ingestPipeline',
    path: '/elasticsearch/_ingest/pipeline/{index}',
    purpose: 'The same for pipelines; events are stored as they are sent.',
  },
] as const satisfies readonly Route[];

/** For shippers that have no setting for a path. */
export const BULK_ROUTES = [
  { ...BULK, id: 'rootBulk', path: '/_bulk', purpose: 'The same as `/elasticsearch/_bulk`.' },
  { ...BULK, id: 'rootBulkOfIndex', path: '/{index}/_bulk', purpose: 'The same as `/elasticsearch/{index}/_bulk`.' },
  { ...QUESTION, id: 'catHealth', path: '/_cat/health', purpose: 'State that rsyslog asks for before it sends again.' },
] as const satisfies readonly Route[];

const COLLECTOR = { methods: ['POST'], scope: 'ingest', isUncounted: true } as const;
const COLLECTOR_HEALTH = { methods: ['GET'], scope: null } as const;

export const SPLUNK_ROUTES = [
  {
    ...COLLECTOR,
    id: 'collector',
    path: '/services/collector',
    purpose: 'Store events sent to Splunk’s HTTP Event Collector.',
  },
  { ...COLLECTOR, id: 'collectorEvent', path: '/services/collector/event', purpose: 'The same.' },
  { ...COLLECTOR, id: 'collectorEvent1', path: '/services/collector/event/1.0', purpose: 'The same.' },
  {
    ...COLLECTOR,
    id: 'collectorRaw',
    path: '/services/collector/raw',
    purpose: 'Store the lines of a text as events.',
  },
  { ...COLLECTOR, id: 'collectorRaw1', path: '/services/collector/raw/1.0', purpose: 'The same.' },
  {
    ...COLLECTOR,
    id: 'collectorAck',
    path: '/services/collector/ack',
    purpose: 'Refused: an answer means that the events are on disk.',
  },
  {
    ...COLLECTOR_HEALTH,
    id: 'collectorHealth',
    path: '/services/collector/health',
    purpose: 'Readiness, as senders to Splunk ask for it.',
  },
  { ...COLLECTOR_HEALTH, id: 'collectorHealth1', path: '/services/collector/health/1.0', purpose: 'The same.' },
] as const satisfies readonly Route[];
