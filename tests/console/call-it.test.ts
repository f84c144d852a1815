/**
 * The calls that the console writes for other programs, as those programs run them.
 *
 * @slow 30
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PLUGIN_ID } from '#contract/plugin/plugin';
import { pluginQuerySchema } from '#contract/plugin/query';
import { PROJECT } from '../backend/support/sample-service';
import { consoleForTests } from './support/console-page';
import { exampleOf, LOGS, outputOf, SHORT, TEXT, WRITTEN } from './support/written-calls';

const browser = consoleForTests();

describe.each(WRITTEN)('a text %s', (_where, sql) => {
  test('is run by curl', async () => {
    const output = await outputOf('/bin/sh', ['-c', await exampleOf(browser, 'curl', sql)]);
    expect(JSON.parse(output)).toEqual({ result: [{ text: TEXT, n: 120 }] });
  });

  test('is run by Node', async () => {
    const call = await exampleOf(browser, 'JavaScript', sql);
    const script = `console.table = (rows) => console.log(JSON.stringify(rows));\n${call}`;
    expect(JSON.parse(await outputOf(process.execPath, ['--input-type=module', '-e', script]))).toEqual([
      { text: TEXT, n: 120 },
    ]);
  });
});

describe('Grafana', () => {
  const manifest = JSON.parse(readFileSync(join(__dirname, '../../plugin.json'), 'utf8')) as { id: string };

  test('gets a data source like the one that the project provisions', async () => {
    const written = parse(await exampleOf(browser, 'Grafana: data source', SHORT)) as {
      datasources: [Record<string, unknown>];
    };
    const file = readFileSync(join(__dirname, '../../provisioning/datasources/log-query-endpoints.yaml'), 'utf8');
    const [ours] = (parse(file) as { datasources: [Record<string, unknown>] }).datasources;
    const { editable: _editable, ...expected } = ours;
    expect(written.datasources).toEqual([
      { ...expected, url: browser.service.service.url, secureJsonData: { apiKey: '$LQE_TOKEN' } },
    ]);
    expect([expected['type'], PLUGIN_ID]).toEqual([manifest.id, manifest.id]);
  });

  test.each([
    ['an ad-hoc text', `${LOGS}&sql=select+1+as+n`, 'table', { mode: 'sql', sql: 'select 1 as n' }],
    ['a saved query of events', LOGS, 'logs', { mode: 'saved', params: { project: PROJECT } }],
    [
      'a saved query over time',
      '/console/queries/usage.api-counts?p.project=x&p.interval=daily',
      'timeseries',
      { params: { project: 'x', interval: 'daily' } },
    ],
  ])('gets a panel of %s', async (_what, address, type, query) => {
    await browser.signIn(address);
    await browser.page.getByRole('tab', { name: 'Call it' }).click();
    const text = await browser.page.getByLabel('Grafana: panel', { exact: true }).textContent();
    const panel = JSON.parse(text!) as { type: string; targets: [unknown] };
    expect(panel.type).toBe(type);
    expect(pluginQuerySchema.parse(panel.targets[0])).toMatchObject(query);
  });
});

test('the OpenAPI document of one saved query is saved as a file', async () => {
  await browser.signIn(LOGS);
  await browser.page.getByRole('tab', { name: 'Call it' }).click();
  const [download] = await Promise.all([
    browser.page.waitForEvent('download'),
    browser.page.getByRole('button', { name: 'Save the OpenAPI document' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('logs.all.openapi.json');
  const document = JSON.parse(readFileSync(await download.path(), 'utf8')) as { paths: object };
  expect(Object.keys(document.paths)).toEqual(['/api/endpoints/query/logs.all']);
});

test.each(['light', 'dark'] as const)(
  'in the %s theme axe finds nothing, and nothing is wider than a phone',
  async (colorScheme) => {
    await browser.open({ colorScheme });
    await browser.signIn(LOGS);
    await browser.page.getByRole('tab', { name: 'Call it' }).click();
    await browser.page.getByLabel('curl', { exact: true }).waitFor();
    expect(await browser.accessibilityProblems()).toEqual([]);
    await browser.keepPicture(`call-it-${colorScheme}`);
    expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
    await browser.keepPicture(`call-it-${colorScheme}-phone`);
  }
);
