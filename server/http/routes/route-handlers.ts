/** Handlers of all routes. */
import type { RouteHandlers } from '../router';
import { listCalls } from './activity/list-calls';
import { readStatus } from './activity/read-status';
import { callEndpoint } from './call-endpoint';
import { ingestAs } from './ingest/ingest-as';
import { ingestLogs } from './ingest/ingest-logs';
import { live } from './service/live';
import { lokiPush } from './ingest/loki-push';
import { mcp } from './mcp';
import { metrics } from './service/metrics';
import { openApi } from './service/open-api';
import { otlpLogs } from './ingest/otlp-logs';
import { ready } from './service/ready';
import { bulk } from './ingest/shippers/bulk';
import { checkCollector, collectEvents, collectLines, refuseAcknowledgment } from './ingest/shippers/collector';
import { acceptSetup, describeCluster, describeElasticsearch, describeLicense } from './ingest/shippers/elasticsearch';
import { createEndpoint } from './saved-queries/create-endpoint';
import { deleteEndpoint } from './saved-queries/delete-endpoint';
import { listEndpoints } from './saved-queries/list-endpoints';
import { patchEndpoint } from './saved-queries/patch-endpoint';
import { preview } from './saved-queries/preview';
import { purgeCache } from './saved-queries/purge-cache';
import { readEndpoint } from './saved-queries/read-endpoint';
import { replaceEndpoint } from './saved-queries/replace-endpoint';
import { listRevisions, readRevision, restoreRevision } from './saved-queries/revisions';
import { validate } from './saved-queries/validate';
import { createSource } from './sources/create-source';
import { deleteSource } from './sources/delete-source';
import { listSources } from './sources/list-sources';
import { patchSource } from './sources/patch-source';
import { readSource } from './sources/read-source';
import { replaceSource } from './sources/replace-source';
import { listSourceRevisions, readSourceRevision, restoreSourceRevision } from './sources/source-revisions';
import { changeToken } from './tokens/change-token';
import { createToken } from './tokens/create-token';
import { listTokens } from './tokens/list-tokens';
import { readAudit } from './tokens/read-audit';
import { readOwnToken } from './tokens/read-own-token';
import { readToken } from './tokens/read-token';
import { revokeToken } from './tokens/revoke-token';
import { rotateToken } from './tokens/rotate-token';

export const ROUTE_HANDLERS: RouteHandlers = {
  call: callEndpoint,
  list: listEndpoints,
  create: createEndpoint,
  validate,
  preview,
  read: readEndpoint,
  replace: replaceEndpoint,
  patch: patchEndpoint,
  delete: deleteEndpoint,
  revisions: listRevisions,
  revision: readRevision,
  restore: restoreRevision,
  purge: purgeCache,
  sources: listSources,
  createSource,
  source: readSource,
  replaceSource,
  patchSource,
  deleteSource,
  sourceRevisions: listSourceRevisions,
  sourceRevision: readSourceRevision,
  restoreSource: restoreSourceRevision,
  calls: listCalls,
  status: readStatus,
  self: readOwnToken,
  ingest: ingestLogs,
  ingestAs,
  otlp: otlpLogs,
  loki: lokiPush,
  bulk,
  bulkOfIndex: bulk,
  rootBulk: bulk,
  rootBulkOfIndex: bulk,
  collector: collectEvents,
  collectorEvent: collectEvents,
  collectorEvent1: collectEvents,
  collectorRaw: collectLines,
  collectorRaw1: collectLines,
  collectorAck: refuseAcknowledgment,
  collectorHealth: checkCollector,
  collectorHealth1: checkCollector,
  elasticsearch: describeElasticsearch,
  elasticsearchSlash: describeElasticsearch,
  license: describeLicense,
  clusterHealth: describeCluster,
  catHealth: describeCluster,
  indexTemplate: acceptSetup,
  legacyTemplate: acceptSetup,
  componentTemplate: acceptSetup,
  lifecyclePolicy: acceptSetup,
  ingestPipeline: acceptSetup,
  tokens: listTokens,
  createToken,
  token: readToken,
  changeToken,
  revokeToken,
  rotateToken,
  audit: readAudit,
  mcp,
  live,
  ready,
  metrics,
  openapi: openApi,
};
