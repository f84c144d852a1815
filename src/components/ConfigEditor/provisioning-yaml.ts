import type { DataSourceSettings } from '@grafana/data';
import { isRecord } from '#contract/records';
import type { LogEndpointsOptions, LogEndpointsSecureOptions } from '../../types';

type Settings = DataSourceSettings<LogEndpointsOptions, LogEndpointsSecureOptions>;

/**
 * Provisioning file that recreates this data source, with environment variables in place of secrets. Texts are JSON,
 * which is valid YAML; `$` is doubled, since Grafana replaces variables.
 */
export function provisioningYaml(settings: Settings): string {
  const { name, type, uid, url, basicAuth, basicAuthUser, jsonData, secureJsonFields, secureJsonData } = settings;
  // Stored ones, and those that are typed and not stored yet.
  const stored = Object.entries({ ...secureJsonFields, ...secureJsonData });
  const secrets = stored.flatMap(([key, value]) => (value ? [key] : []));
  const wanted = secrets.includes('apiKey') ? secrets : ['apiKey', ...secrets];
  return [
    'apiVersion: 1',
    'datasources:',
    `  - name: ${scalar(name)}`,
    `    type: ${type}`,
    ...(uid ? [`    uid: ${scalar(uid)}`] : []),
    '    access: proxy',
    `    url: ${scalar(url || 'http://localhost:8080')}`,
    ...(basicAuth ? ['    basicAuth: true', `    basicAuthUser: ${scalar(basicAuthUser ?? '')}`] : []),
    ...section('    ', 'jsonData', Object.entries(jsonData ?? {})),
    '    secureJsonData:',
    ...wanted.map((key) => `      ${key}: $${variableOf(key)}`),
    '',
  ].join('\n');
}

function section(indent: string, key: string, entries: ReadonlyArray<readonly [string, unknown]>): readonly string[] {
  const kept = entries.filter(([, value]) => value !== undefined && value !== '' && value !== null);
  if (kept.length === 0) return [];
  return [
    `${indent}${key}:`,
    ...kept.flatMap(([name, value]) =>
      isRecord(value) ? section(`${indent}  `, name, Object.entries(value)) : [`${indent}  ${name}: ${scalar(value)}`]
    ),
  ];
}

function scalar(value: unknown): string {
  if (
    typeof value === 'string' &&
    /^[A-Za-z][\w ./-]*[\w./-]$/.test(value) &&
    !/^(true|false|null|yes|no|on|off)$/i.test(value)
  )
    return value;
  return JSON.stringify(value).replace(/\$/g, '$$$$');
}

/** Environment variable of a secret: LQE_API_KEY for `apiKey`, LQE_HTTP_HEADER_VALUE1 for `httpHeaderValue1`. */
function variableOf(key: string): string {
  return `LQE_${key.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`;
}
