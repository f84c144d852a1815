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

test('queries of alert rules run before those of panels that wait, also when both ask the same', async () => {
  const asked: string[] = [];
  const responses: (() => void)[] = [];
  const endAll = (): void => responses.splice(0).forEach((end) => end());
  const stub = await startStub((req, res) => {
    asked.push(req.url?.split('/').at(-1) ?? '');
    const end = () => res.writeHead(200, { 'content-type': 'application/vnd.apache.arrow.stream' }).end();
    if (asked.length <= 8) responses.push(end);
    else end();
    if (asked.length === 8) queued();
  });
  let queued = (): void => undefined;
  const areRunning = new Promise<void>((resolve) => (queued = resolve));
  const instances = createInstances({});
  try {
    const instance = instances.get(context(stub.url, 1));
    const ask = (endpoint: string, isUrgent: boolean) =>
      instance.query(
        { endpoint, params: {}, adhoc: null, redact: false },
        { signal: new CallController(), forwarded: {}, isUrgent }
      );
    const running = Array.from({ length: 8 }, (_, at) => ask(`running${at}`, false));
    await areRunning;
    const waiting = [ask('panel', false), ask('shared', false), ask('shared', true), ask('rule', true)];
    responses.shift()!();
    await Promise.all(waiting);
    expect(asked.slice(8)).toEqual(['shared', 'rule', 'panel', 'shared']);
    endAll();
    await Promise.all(running);
  } finally {
    endAll();
    await instances.close();
    await stub.close();
  }
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
