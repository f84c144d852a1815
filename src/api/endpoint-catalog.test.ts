import { LOGS, LOGS_DETAIL } from '../__mocks__/endpoints';
import { EndpointCatalog } from './endpoint-catalog';
import { endpointKey, findEndpoint } from './find-endpoint';
import { resourceFailure } from './resource-failure';

function catalogOf(getResource: (path: string) => Promise<unknown>) {
  const asked: string[] = [];
  const clock = { nowMs: 0 };
  const catalog = new EndpointCatalog(
    {
      getResource: (path) => {
        asked.push(path);
        return getResource(path);
      },
      postResource: () => Promise.reject(new Error('not asked')),
    },
    () => clock.nowMs
  );
  return { catalog, asked, clock };
}

test('the list of endpoints is asked for once a minute', async () => {
  const { catalog, asked, clock } = catalogOf(() => Promise.resolve({ endpoints: [LOGS] }));
  expect(await catalog.endpoints()).toEqual([LOGS]);
  await catalog.endpoints();
  clock.nowMs = 59_999;
  await catalog.endpoints();
  expect(asked).toHaveLength(1);
  clock.nowMs = 60_001;
  await catalog.endpoints();
  expect(asked).toHaveLength(2);
});

test('a failure is not kept', async () => {
  let isUp = false;
  const { catalog } = catalogOf(() =>
    isUp ? Promise.resolve({ endpoints: [LOGS] }) : Promise.reject(new Error('down'))
  );
  await expect(catalog.endpoints()).rejects.toThrow('down');
  isUp = true;
  expect(await catalog.endpoints()).toEqual([LOGS]);
});

test('a name cannot leave its place in the path', async () => {
  const { catalog, asked } = catalogOf(() => Promise.resolve(LOGS_DETAIL));
  await catalog.endpoint('../validate?x');
  expect(asked).toEqual(['endpoints/..%2Fvalidate%3Fx']);
});

test('an endpoint is found by its id under every name, and never by the old name of another', () => {
  const renamed = { ...LOGS, name: 'logs.everything' };
  expect(findEndpoint([renamed], { endpoint: { id: LOGS.id, name: 'logs.all' } })).toBe(renamed);
  expect(findEndpoint([LOGS], { endpoint: { id: 'deleted', name: 'logs.all' } })).toBeUndefined();
  expect(findEndpoint([LOGS], { endpoint: { name: 'logs.all' } })).toBe(LOGS);
  expect(findEndpoint([LOGS], {})).toBeUndefined();
  expect(endpointKey({ endpoint: { id: '', name: 'logs.all' } })).toBe('logs.all');
});

test.each([
  [{ data: { error: { code: 'token_invalid', message: 'The token is not valid.' } } }, 'The token is not valid.'],
  [{ data: { message: 'plugin unavailable' }, status: 502 }, 'plugin unavailable'],
  [{ statusText: 'Bad Gateway', data: '<html>' }, 'Bad Gateway'],
  [new Error('offline'), 'offline'],
  [undefined, 'Grafana gave no reason.'],
])('the failure %j is shown with its reason', (thrown, message) => {
  expect(resourceFailure(thrown).message).toBe(message);
});
