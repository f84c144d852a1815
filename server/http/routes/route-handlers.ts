/** Handlers of all routes. */
import type { RouteHandlers } from '../router';
import { callEndpoint } from './call-endpoint';
import { ingestLogs } from './ingest-logs';
import { listEndpoints } from './list-endpoints';
import { live } from './live';
import { lokiPush } from './loki-push';
import { metrics } from './metrics';
import { openApi } from './open-api';
import { otlpLogs } from './otlp-logs';
import { purgeCache } from './purge-cache';
import { readEndpoint } from './read-endpoint';
import { ready } from './ready';
import { validate } from './validate';

export const ROUTE_HANDLERS: RouteHandlers = {
  call: callEndpoint,
  list: listEndpoints,
  read: readEndpoint,
  validate,
  purge: purgeCache,
  ingest: ingestLogs,
  otlp: otlpLogs,
  loki: lokiPush,
  live,
  ready,
  metrics,
  openapi: openApi,
};
