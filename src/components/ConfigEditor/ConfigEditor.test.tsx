/** @slow 15 */
import React, { useState } from 'react';
import type { DataSourceSettings } from '@grafana/data';
import { config, setDataSourceSrv } from '@grafana/runtime';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { LogEndpointsOptions, LogEndpointsSecureOptions } from '../../types';
import { ConfigEditor } from './ConfigEditor';

type Settings = DataSourceSettings<LogEndpointsOptions, LogEndpointsSecureOptions>;

const SETTINGS = {
  id: 1,
  uid: 'logs-uid',
  name: 'Logs',
  type: 'svc-logqueryendpoints-datasource',
  url: '',
  access: 'proxy',
  readOnly: false,
  jsonData: {},
  secureJsonData: {},
  secureJsonFields: {},
} as unknown as Settings;

/** Keeps what the editor changes, as Grafana's settings page does. */
function open(changed: Partial<Settings> = {}) {
  const latest = { settings: { ...SETTINGS, ...changed } as Settings };
  function Page() {
    const [options, setOptions] = useState(latest.settings);
    latest.settings = options;
    return <ConfigEditor options={options} onOptionsChange={setOptions} />;
  }
  render(<Page />);
  return latest;
}

async function unfold(section: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: new RegExp(`^${section}`) }));
}

// The picker of data sources asks the host for them.
beforeAll(() => setDataSourceSrv({ getList: () => [], getInstanceSettings: () => undefined } as never));

afterEach(() => {
  config.secureSocksDSProxyEnabled = false;
});

test('address, token and timeout are stored', async () => {
  const latest = open();
  await userEvent.type(screen.getByLabelText(/^URL/), ' http://localhost:8080 ');
  await userEvent.type(screen.getByLabelText(/^Access token/), 'lqe_abc');
  await userEvent.type(screen.getByLabelText(/^Timeout/), '45');
  expect(latest.settings.url).toBe('http://localhost:8080');
  expect(latest.settings.secureJsonData).toEqual({ apiKey: 'lqe_abc' });
  expect(latest.settings.jsonData.timeout).toBe(45);
});

test('a wrong address has its reason beside the field, and not before the field was touched', async () => {
  open();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await userEvent.click(screen.getByLabelText(/^URL/));
  await userEvent.tab();
  expect(screen.getByText(/Write the address of the service/)).toBeVisible();
  await userEvent.type(screen.getByLabelText(/^URL/), 'localhost:8080');
  expect(screen.getByText(/Begin with http/)).toBeVisible();
});

test('links of log lines are added, marked with what they lack, and removed', async () => {
  const latest = open();
  await unfold('Links');
  await userEvent.click(screen.getByRole('button', { name: 'Add link' }));
  const link = within(screen.getByRole('group', { name: 'Link 1' }));
  expect(link.getByRole('alert')).toHaveTextContent('Write a name.');
  await userEvent.type(link.getByLabelText('Name'), 'Trace');
  await userEvent.type(link.getByLabelText('Regular expression'), 'trace=(');
  expect(link.getByRole('alert')).toHaveTextContent('The regular expression cannot be read.');
  await userEvent.type(link.getByLabelText('Regular expression'), '\\w+)');
  await userEvent.type(link.getByLabelText('URL or query'), 'https://example.org/$');
  expect(link.queryByRole('alert')).not.toBeInTheDocument();
  expect(latest.settings.jsonData.logs?.derivedFields).toEqual([
    { name: 'Trace', regex: 'trace=(\\w+)', url: 'https://example.org/$' },
  ]);
  await userEvent.click(link.getByRole('button', { name: 'Remove link 1' }));
  expect(latest.settings.jsonData.logs?.derivedFields).toEqual([]);
});

test('a saved token is never shown, and can be replaced', async () => {
  const latest = open({ secureJsonFields: { apiKey: true, tlsCACert: true } });
  expect(screen.getByLabelText(/^Access token/)).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: /reset/i }));
  await userEvent.type(screen.getByLabelText(/^Access token/), 'other');
  expect(latest.settings.secureJsonData).toEqual({ apiKey: 'other' });
  expect(latest.settings.secureJsonFields).toEqual({ apiKey: false, tlsCACert: true });
});

test('a new secret leaves the other secrets as they are', async () => {
  const latest = open({ jsonData: { tlsAuth: true }, secureJsonData: { apiKey: 'lqe_abc' } });
  await unfold('TLS');
  await userEvent.type(screen.getByLabelText(/^Private key/), 'x');
  expect(latest.settings.secureJsonData).toEqual({ apiKey: 'lqe_abc', tlsClientKey: 'x' });
  expect(screen.getByText('Begins with -----BEGIN PRIVATE KEY-----.')).toBeVisible();
});

test('redaction, project, level field and rows are stored', async () => {
  const latest = open();
  await unfold('Queries');
  await unfold('Logs');
  await userEvent.click(screen.getByLabelText(/^Redact personal data/));
  await userEvent.type(screen.getByLabelText(/^Default project/), 'acorn');
  await userEvent.type(screen.getByLabelText(/^Level field/), 'a.b');
  await userEvent.type(screen.getByLabelText(/^Rows of a log query/), '200');
  expect(latest.settings.jsonData).toEqual({
    redactPii: true,
    defaultProject: 'acorn',
    logs: { levelField: 'a.b', defaultLimit: 200 },
  });
  await userEvent.clear(screen.getByLabelText(/^Rows of a log query/));
  expect(latest.settings.jsonData.logs).toEqual({ levelField: 'a.b', defaultLimit: undefined });
});

test('certificates have fields only where they are wanted', async () => {
  open();
  await unfold('TLS');
  expect(screen.queryByLabelText(/^CA certificate/)).not.toBeInTheDocument();
  await userEvent.click(screen.getByLabelText(/^Add self-signed certificate/));
  expect(screen.getByLabelText(/^CA certificate/)).toBeVisible();
});

test('a server name, which is in effect without certificates too, is seen and changed', async () => {
  const latest = open({ jsonData: { serverName: 'logs.internal' } });
  await unfold('TLS');
  await userEvent.clear(screen.getByLabelText(/^Server name/));
  expect(latest.settings.jsonData.serverName).toBeUndefined();
  await userEvent.type(screen.getByLabelText(/^Server name/), 'a');
  expect(latest.settings.jsonData.serverName).toBe('a');
});

test('user and password of basic authentication are stored where it is wanted', async () => {
  const latest = open({ secureJsonData: { apiKey: 'lqe_abc' } });
  await unfold('Basic authentication');
  expect(screen.queryByLabelText('User')).not.toBeInTheDocument();
  await userEvent.click(screen.getByLabelText('Use basic authentication'));
  await userEvent.type(screen.getByLabelText('User'), 'ada');
  await userEvent.type(screen.getByLabelText('Password'), ' p');
  expect(latest.settings).toMatchObject({
    basicAuth: true,
    basicAuthUser: 'ada',
    secureJsonData: { apiKey: 'lqe_abc', basicAuthPassword: ' p' },
  });
  expect(screen.getByRole('button', { name: /^Basic authentication/ })).toHaveTextContent('user ada');
});

test('headers of your own are stored, their values as secrets', async () => {
  const latest = open();
  await unfold('HTTP headers');
  await userEvent.click(screen.getByRole('button', { name: /add header/i }));
  await userEvent.type(screen.getByPlaceholderText('X-Custom-Header'), 'X-Tenant');
  await userEvent.type(screen.getByPlaceholderText('Header Value'), 'acorn');
  await userEvent.tab();
  expect(latest.settings.jsonData).toMatchObject({ httpHeaderName1: 'X-Tenant' });
  expect(latest.settings.secureJsonData).toMatchObject({ httpHeaderValue1: 'acorn' });
});

test('the proxy is offered where the host has one', async () => {
  config.secureSocksDSProxyEnabled = true;
  open();
  await unfold('HTTP headers');
  expect(screen.getByText('Secure Socks Proxy')).toBeVisible();
});

test('the provisioning file makes the same data source, and has no secrets', async () => {
  open({ url: 'https://logs.example', jsonData: { defaultProject: 'a$b' }, secureJsonData: { apiKey: 'lqe_secret' } });
  await unfold('Provisioning');
  const file = screen.getByLabelText('Provisioning file');
  expect(file).toHaveTextContent('uid: logs-uid');
  expect(file).toHaveTextContent('defaultProject: "a$$b"');
  expect(file).toHaveTextContent('apiKey: $LQE_API_KEY');
  expect(file).not.toHaveTextContent('lqe_secret');
});

test('a provisioned data source cannot be changed here, its secrets neither', async () => {
  open({ readOnly: true, secureJsonFields: { apiKey: true } });
  await unfold('Queries');
  expect(screen.getByLabelText(/^Access token/)).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Reset' })).not.toBeInTheDocument();
  expect(screen.getByLabelText(/^URL/)).toBeDisabled();
  expect(screen.getByLabelText(/^Redact personal data/)).toBeDisabled();
});

test('the address of a route is mended when the field is left, and can be put back', async () => {
  const latest = open();
  await userEvent.type(
    screen.getByLabelText(/^URL/),
    'https://logs.example/base/api/endpoints/query/logs.all?project=a'
  );
  await userEvent.tab();
  expect(latest.settings.url).toBe('https://logs.example/base');
  await userEvent.click(screen.getByRole('button', { name: 'Put it back' }));
  expect(latest.settings.url).toBe('https://logs.example/base/api/endpoints/query/logs.all?project=a');
  expect(screen.getByText(/Leave out \/api/)).toBeVisible();
  await userEvent.click(screen.getByLabelText(/^URL/));
  await userEvent.tab();
  expect(latest.settings.url).toContain('/api/endpoints');
});

test('a stored address that ends in /api is mended with one button', async () => {
  const latest = open({ url: 'http://localhost:8080/api' });
  expect(screen.getByText(/Leave out \/api/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Change it to http://localhost:8080' }));
  expect(latest.settings.url).toBe('http://localhost:8080');
});

test('sections are closed and say what is set in them', () => {
  open({
    jsonData: {
      redactPii: true,
      tlsSkipVerify: true,
      logs: { levelRules: [{ field: 'a', operator: '=', value: 'b', level: 'error' }], derivedFields: [{ name: 'x' }] },
    },
  });
  const headings = screen.getAllByRole('button', { expanded: false }).map(({ textContent }) => textContent);
  expect(headings).toEqual([
    'Queriesredacts personal data',
    'Logs1 level rule',
    'Links1 link',
    'TLSverification skipped',
    'Basic authenticationNot set',
    'HTTP headers and proxyNot set',
    'ProvisioningThis data source as a file',
  ]);
});

test('level rules are the default ones, none, or written ones', async () => {
  const latest = open();
  await unfold('Logs');
  await userEvent.click(screen.getByLabelText('None'));
  expect(latest.settings.jsonData.logs).toEqual({ levelRules: [] });
  await userEvent.click(screen.getByLabelText('Custom'));
  await userEvent.click(screen.getByRole('button', { name: 'Add rule' }));
  const rule = within(screen.getByRole('group', { name: 'Level rule 2' }));
  expect(rule.getByRole('alert')).toHaveTextContent('Write a field.');
  await userEvent.type(rule.getByLabelText('Field of rule 2'), 'parsed.severity');
  await userEvent.type(rule.getByLabelText('Value of rule 2'), 'FATAL');
  await userEvent.click(rule.getByLabelText('≥'));
  expect(rule.getByRole('alert')).toHaveTextContent('write a number');
  await userEvent.click(rule.getByLabelText('='));
  expect(latest.settings.jsonData.logs?.levelRules).toEqual([
    { field: 'response.status_code', operator: '>=', value: '500', level: 'error' },
    { field: 'parsed.severity', operator: '=', value: 'FATAL', level: 'error' },
  ]);
  await userEvent.click(screen.getByLabelText('Default'));
  expect(latest.settings.jsonData.logs).toEqual({ levelRules: undefined });
});
