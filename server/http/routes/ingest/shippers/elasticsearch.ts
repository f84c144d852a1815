/** Answers what clients of Elasticsearch ask before they send events. */
import type { ServerResponse } from 'node:http';
import type { KeyedCall, KeyedHandler } from '../../../router';
import { sendJson } from '../../../response/send-body';

/** Official clients refuse answers without this header. */
export function nameProduct(res: ServerResponse): void {
  res.setHeader('X-Elastic-Product', 'Elasticsearch');
}

/** The version whose bulk protocol the service speaks; shippers compare it with their own. */
const VERSION = '8.19.0';

/** Shippers make no difference between data that is there and data that they have set up. */
const IGNORED = {
  acknowledged: true,
  note: 'ignored: sources are declared in sources.yaml, or created with POST /api/sources',
};

const answer =
  (value: (call: KeyedCall) => object): KeyedHandler =>
  async (call) => {
    nameProduct(call.res);
    await sendJson(call.req, call.res, value(call));
  };

export const describeElasticsearch = answer(() => ({
  name: 'log-query-endpoints',
  cluster_name: 'log-query-endpoints',
  cluster_uuid: 'log-query-endpoints',
  version: {
    number: VERSION,
    build_flavor: 'default',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
}));

export const describeLicense = answer(() => ({
  license: { status: 'active', uid: '00000000-0000-0000-0000-000000000000', type: 'basic', mode: 'basic' },
}));

export const describeCluster = answer(() => ({
  cluster_name: 'log-query-endpoints',
  status: 'green',
  timed_out: false,
  number_of_nodes: 1,
  number_of_data_nodes: 1,
}));

/** Templates, policies and pipelines: every one is said to exist, so that clients send none. */
export const acceptSetup = answer(({ req }) => (req.method === 'PUT' ? IGNORED : {}));
