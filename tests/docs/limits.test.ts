/** The table of limits in docs/operations.md has the defaults of the settings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SettingName, SETTINGS } from '#contract/settings';
import { MAX_ENTRY_BYTES, MAX_ENTRY_VALUES } from '#contract/events/source';

const text = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
const rows = new Map(
  text
    .slice(text.indexOf('## Limits at a glance'), text.indexOf('## Sizing'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | '))
    .map(([what, limit]) => [what!.replace('| ', ''), limit!] as const)
);

function defaultOf(name: SettingName): number {
  return Number(SETTINGS.find((setting) => setting.name === name)?.default);
}

const bytes = (count: number): string => (count >= 1_048_576 ? `${count / 1_048_576} MiB` : `${count / 1024} KiB`);
const seconds = (name: SettingName): string => `${defaultOf(name) / 1000} s`;

it.each([
  ['Requests of one token in a minute', [String(defaultOf('LQE_MAX_REQUESTS_PER_MINUTE'))]],
  ['Wrong tokens from one address in a minute', [String(defaultOf('LQE_MAX_WRONG_KEYS_PER_MINUTE'))]],
  [
    'Queries of one token at once',
    [`${defaultOf('LQE_MAX_RUNNING_PER_TOKEN')} running`, `${defaultOf('LQE_MAX_WAITING_PER_TOKEN')} waiting`],
  ],
  [
    'Queries at once',
    [
      `${defaultOf('LQE_MAX_RUNNING')} running`,
      `${defaultOf('LQE_MAX_RUNNING_ADHOC')} of them ad-hoc`,
      `${defaultOf('LQE_MAX_WAITING')} waiting`,
    ],
  ],
  [
    'Ingest batches at once',
    [`${defaultOf('LQE_MAX_INGESTS')} in work`, `${defaultOf('LQE_CLICKHOUSE_MAX_INGESTS')} in work`],
  ],
  [
    'Request target, headers, body of a call',
    [
      bytes(defaultOf('LQE_MAX_URL_BYTES')),
      bytes(defaultOf('LQE_MAX_HEADER_BYTES')),
      bytes(defaultOf('LQE_MAX_QUERY_BODY_BYTES')),
    ],
  ],
  [
    'Ingest body, inflated',
    [bytes(defaultOf('LQE_MAX_INGEST_BODY_BYTES')), bytes(defaultOf('LQE_MAX_INGEST_INFLATED_BYTES'))],
  ],
  ['One event', [bytes(MAX_ENTRY_BYTES), `${MAX_ENTRY_VALUES.toLocaleString('en-US')} values`]],
  [
    'Headers, whole request, unread answer',
    [seconds('LQE_HEADERS_TIMEOUT_MS'), seconds('LQE_REQUEST_TIMEOUT_MS'), seconds('LQE_ANSWER_TIMEOUT_MS')],
  ],
])('docs/operations.md has the limit of the code: %s', (what, limits) => {
  for (const limit of limits) expect(rows.get(what)).toContain(limit);
});
