/** Bodies and responses of the routes that follow protocols of other services. */
import type { BULK_ROUTES, ELASTICSEARCH_ROUTES, SPLUNK_ROUTES } from '#contract/routes/shipper-routes';
import type { JsonSchema } from './json-types';
import { jsonResponse } from './responses';

type ShipperRouteId = (typeof ELASTICSEARCH_ROUTES | typeof BULK_ROUTES | typeof SPLUNK_ROUTES)[number]['id'];

const LINES: JsonSchema = { type: 'string' };

export const BULK_BODY: JsonSchema = {
  required: true,
  description: 'Lines of actions and documents; the actions are `create` and `index`.',
  content: { 'application/x-ndjson': { schema: LINES }, 'application/json': { schema: LINES } },
};

export const COLLECTOR_BODY: JsonSchema = {
  required: true,
  description: 'JSON objects with `event`, one behind the other.',
  content: { 'application/json': { schema: { type: 'object', required: ['event'] } } },
};

export const TEXT_BODY: JsonSchema = { required: true, content: { 'text/plain': { schema: LINES } } };

const OUTCOME: JsonSchema = {
  type: 'object',
  required: ['status'],
  properties: {
    _index: { type: 'string' },
    _id: { type: 'string' },
    result: { const: 'created' },
    status: { enum: [201, 400] },
    error: {
      type: 'object',
      required: ['type', 'reason'],
      properties: { type: { type: 'string' }, reason: { type: 'string' } },
    },
  },
};

const BULK_RESPONSE = {
  '200': jsonResponse('One item for each action, in their order.', {
    type: 'object',
    required: ['took', 'errors', 'items'],
    properties: {
      took: { type: 'integer' },
      errors: { type: 'boolean' },
      items: { type: 'array', items: { type: 'object', additionalProperties: OUTCOME } },
    },
  }),
};

const FOREIGN = { '200': jsonResponse('As clients of Elasticsearch expect it.', { type: 'object' }) };

const COLLECTOR_ANSWER: JsonSchema = {
  type: 'object',
  required: ['text', 'code'],
  properties: { text: { type: 'string' }, code: { type: 'integer' } },
};

const COLLECTED = { '200': jsonResponse('Everything is stored.', COLLECTOR_ANSWER) };

const HEALTH = {
  '200': jsonResponse('Events can be stored.', COLLECTOR_ANSWER),
  '503': jsonResponse('They cannot be stored.', COLLECTOR_ANSWER),
};

export const SHIPPER_RESPONSES: { readonly [I in ShipperRouteId]: Readonly<Record<string, JsonSchema>> } = {
  bulk: BULK_RESPONSE,
  bulkOfIndex: BULK_RESPONSE,
  rootBulk: BULK_RESPONSE,
  rootBulkOfIndex: BULK_RESPONSE,
  collector: COLLECTED,
  collectorEvent: COLLECTED,
  collectorEvent1: COLLECTED,
  collectorRaw: COLLECTED,
  collectorRaw1: COLLECTED,
  collectorAck: {},
  collectorHealth: HEALTH,
  collectorHealth1: HEALTH,
  elasticsearch: FOREIGN,
  elasticsearchSlash: FOREIGN,
  license: FOREIGN,
  clusterHealth: FOREIGN,
  catHealth: FOREIGN,
  indexTemplate: FOREIGN,
  legacyTemplate: FOREIGN,
  componentTemplate: FOREIGN,
  lifecyclePolicy: FOREIGN,
  ingestPipeline: FOREIGN,
};
