import { createInstances } from '#backend/instances/instances';
import type { PluginContext } from '#backend/proto/messages';
import { CallController } from '#backend/service-client/calls/call-signal';
import { startStub } from '../../support/stub-service';

const context = (url: string, lastUpdatedMs: number): PluginContext => ({
  orgId: 1,
  pluginId: 'plugin',
  user: null,
  grafanaConfig: {},
  dataSourceInstanceSettings: {
    id: 1,
    name: 'Logs',
    url,
    user: '',
    database: '',
    basicAuthEnabled: false,
    basicAuthUser: '',
    jsonData: Buffer.from('{"timeout":600}'),
    decryptedSecureJsonData: {},
    lastUpdatedMs,
    uid: 'source',
  },
});

test('a call with the previous settings may take as long as they allow, its retries included', async () => {
  const stub = await startStub((_req, res) => res.end('{"result":{"scopes":["query"]}}'));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  try {
    const instances = createInstances({});
    const previous = instances.get(context(stub.url, 1));
    expect(instances.get(context(stub.url, 2))).not.toBe(previous);
    jest.advanceTimersByTime(600_000);
    jest.useRealTimers();
    const access = await previous.client.access({ signal: new CallController(), forwarded: {} });
    expect(access.scopes).toEqual(['query']);
    await Promise.all([previous.close(), instances.close()]);
  } finally {
    jest.useRealTimers();
    await stub.close();
  }
});
