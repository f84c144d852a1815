import { parse } from 'yaml';
import type { DataSourceSettings } from '@grafana/data';
import type { LogEndpointsOptions, LogEndpointsSecureOptions } from '../../types';
import { provisioningYaml } from './provisioning-yaml';
import { mendedUrl, tidyUrl, urlProblem } from './url-problem';

type Settings = DataSourceSettings<LogEndpointsOptions, LogEndpointsSecureOptions>;

const SETTINGS = {
  name: 'Logs',
  type: 't',
  uid: 'u',
  url: 'http://a:1',
  jsonData: {},
  secureJsonFields: {},
} as unknown as Settings;

test.each(['Logs', 'a: b', "it's", '# x', 'yes', '12', 'true', 'line\nbreak', '- x', '"', ' blank '])(
  'a YAML reader gets the name %j back',
  (name) => {
    expect(parse(provisioningYaml({ ...SETTINGS, name })).datasources[0].name).toBe(name);
  }
);

test('the file has what is set, also a level deeper, and no more', () => {
  const jsonData = {
    timeout: 45,
    redactPii: true,
    defaultProject: '',
    logs: { levelField: 'a.b', defaultLimit: undefined },
  };
  const [source] = parse(
    provisioningYaml({ ...SETTINGS, jsonData, secureJsonFields: { apiKey: true, httpHeaderValue1: true } })
  ).datasources;
  expect(source.jsonData).toEqual({ timeout: 45, redactPii: true, logs: { levelField: 'a.b' } });
  expect(source.secureJsonData).toEqual({ apiKey: '$LQE_API_KEY', httpHeaderValue1: '$LQE_HTTP_HEADER_VALUE1' });
});

test('the file has the login of basic authentication, and secrets that are not stored yet', () => {
  const [source] = parse(
    provisioningYaml({
      ...SETTINGS,
      basicAuth: true,
      basicAuthUser: 'a: b',
      secureJsonFields: { basicAuthPassword: true },
      secureJsonData: { apiKey: '', httpHeaderValue1: 'typed' },
    } as unknown as Settings)
  ).datasources;
  expect(source).toMatchObject({ basicAuth: true, basicAuthUser: 'a: b' });
  expect(source.secureJsonData).toEqual({
    apiKey: '$LQE_API_KEY',
    basicAuthPassword: '$LQE_BASIC_AUTH_PASSWORD',
    httpHeaderValue1: '$LQE_HTTP_HEADER_VALUE1',
  });
});

test.each([
  ['http://localhost:8080', undefined],
  ['https://logs.example/base/', undefined],
  ['', /Write the address/],
  ['localhost:8080', /Begin with http/],
  ['ftp://x', /Begin with http/],
  ['http://', /Begin with http/],
  ['http://u:p@x', /Leave user and password out/],
  ['http://x/api/endpoints', /Leave out \/api/],
  ['http://x/api', /Leave out \/api/],
  ['http://x/console', /Leave out \/console/],
  ['http://x/#token=lqe_1', /Leave out # and what follows/],
  ['http://x/?a=1', /Leave out what follows/],
])('the address %j: %s', (url, problem) => {
  const outcome = urlProblem(url);
  if (problem === undefined) expect(outcome).toBeUndefined();
  else expect(outcome).toMatch(problem);
});

test.each([
  ['http://x/api', 'http://x'],
  ['http://x/api/', 'http://x'],
  ['https://x:8443/base/api/endpoints/query/logs.all?project=a', 'https://x:8443/base'],
  ['http://x/console/queries/logs.all?p.project=a', 'http://x'],
  ['https://x/base/console', 'https://x/base'],
  ['http://x:8080/#token=lqe_1', 'http://x:8080'],
  ['http://x/apis', undefined],
  ['http://x/consoles', undefined],
  ['http://u:p@x/api', undefined],
  ['nonsense', undefined],
])('the service of %s is at %s', (url, mended) => {
  expect(mendedUrl(url)).toBe(mended);
  if (mended) expect(urlProblem(mended)).toBeUndefined();
});

test.each([
  [' http://x/ ', 'http://x'],
  ['http://x/base//', 'http://x/base'],
  ['http://', 'http://'],
])('%j is kept as %s', (url, tidy) => {
  expect(tidyUrl(url)).toBe(tidy);
});
