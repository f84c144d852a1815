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

// The picker of data sources asks the host for them.
beforeAll(() => setDataSourceSrv({ getList: () => [], getInstanceSettings: () => undefined } as never));

afterEach(() => {
  config.secureSocksDSProxyEnabled = false;
});

test('takes address, token and timeout', async () => {
  const latest = open();
  await userEvent.type(screen.getByLabelText(/^URL/), ' http://localhost:8080 ');
  await userEvent.type(screen.getByLabelText(/^Access token/), 'lqe_abc');
  await userEvent.type(screen.getByLabelText(/^Timeout/), '45');
  expect(latest.settings.url).toBe('http://localhost:8080');
  expect(latest.settings.secureJsonData).toEqual({ apiKey: 'lqe_abc' });
  expect(latest.settings.jsonData.timeout).toBe(45);
});

test('says beside the field what is wrong with an address, and not before it was touched', async () => {
  open();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await userEvent.click(screen.getByLabelText(/^URL/));
  await userEvent.tab();
  expect(screen.getByText(/Write the address of the service/)).toBeVisible();
  await userEvent.type(screen.getByLabelText(/^URL/), 'localhost:8080');
  expect(screen.getByText(/Begin with http/)).toBeVisible();
});

test('links of log lines are added, told what they lack, and removed', async () => {
  const latest = open();
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
  await userEvent.type(screen.getByLabelText(/^Private key/), 'x');
  expect(latest.settings.secureJsonData).toEqual({ apiKey: 'lqe_abc', tlsClientKey: 'x' });
  expect(screen.getByText('Begins with -----BEGIN PRIVATE KEY-----.')).toBeVisible();
});

test('sets redaction, project, level field and rows', async () => {
  const latest = open();
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

test('asks for certificates only where they are wanted', async () => {
  open();
  expect(screen.queryByLabelText(/^CA certificate/)).not.toBeInTheDocument();
  await userEvent.click(screen.getByLabelText(/^Own certificate authority/));
  expect(screen.getByLabelText(/^CA certificate/)).toBeVisible();
});

test('takes headers of your own, with their values as secrets', async () => {
  const latest = open();
  await userEvent.click(screen.getByRole('button', { name: /add header/i }));
  await userEvent.type(screen.getByPlaceholderText('X-Custom-Header'), 'X-Tenant');
  await userEvent.type(screen.getByPlaceholderText('Header Value'), 'acorn');
  await userEvent.tab();
  expect(latest.settings.jsonData).toMatchObject({ httpHeaderName1: 'X-Tenant' });
  expect(latest.settings.secureJsonData).toMatchObject({ httpHeaderValue1: 'acorn' });
});

test('offers the proxy where the host has one', () => {
  config.secureSocksDSProxyEnabled = true;
  open();
  expect(screen.getByText('Secure Socks Proxy')).toBeVisible();
});

test('shows a file that makes the same data source, without secrets', () => {
  open({ url: 'https://logs.example', jsonData: { defaultProject: 'a$b' }, secureJsonData: { apiKey: 'lqe_secret' } });
  const file = screen.getByLabelText('Provisioning file');
  expect(file).toHaveTextContent('uid: logs-uid');
  expect(file).toHaveTextContent('defaultProject: "a$$b"');
  expect(file).toHaveTextContent('apiKey: $LQE_API_KEY');
  expect(file).not.toHaveTextContent('lqe_secret');
});

test('a provisioned data source cannot be changed here, and says so', () => {
  open({ readOnly: true });
  expect(within(screen.getByRole('status')).getByText(/comes from a file/)).toBeVisible();
  expect(screen.getByLabelText(/^URL/)).toBeDisabled();
  expect(screen.getByLabelText(/^Redact personal data/)).toBeDisabled();
});
