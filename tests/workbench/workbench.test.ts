/**
 * The built plugin in a real browser, with the real backend process and a real service behind it. `LQE_SCREENSHOTS=docs/images` keeps
 * pictures.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type PluginHost, startPlugin } from '../backend/support/plugin-host';
import { PROJECT, type SampleService, startSampleService } from '../backend/support/sample-service';
import { buildPage, OTHER_PACKAGES } from './build-page';
import { findChromium } from './find-chromium';
import { startWorkbench, type Workbench } from './workbench-server';

// Two workers share a small machine with this browser.
jest.setTimeout(150_000);
const WAIT_MS = 60_000;

const OUT = mkdtempSync(path.join(tmpdir(), 'workbench-'));

let sample: SampleService;
let host: PluginHost;
let bench: Workbench;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let problems: string[];
let built: string;

describe('the built plugin in a browser', () => {
  beforeAll(async () => {
    const folders = await buildPage(OUT);
    built = readFileSync(path.join(folders.plugin, 'module.js'), 'utf8');
    sample = await startSampleService();
    host = await startPlugin();
    bench = await startWorkbench(host, folders);
    browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    // One for all tests: the page is large, and its cache is the context's.
    context = await browser.newContext({ viewport: { width: 1100, height: 640 } });
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await bench?.stop();
    await host?.stop();
    await sample?.stop();
    rmSync(OUT, { recursive: true, force: true });
  }, 60_000);

  beforeEach(async () => {
    bench.save({ ...sample.source, jsonData: {} });
    page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
  });

  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });

  test('the bundle asks the host for what every version has, brings nothing of React along, and is small', () => {
    const asked = JSON.parse(/^define\((\[[^\]]*\])/m.exec(built)![1]!) as string[];
    expect(HANDED_TO_PLUGINS).toEqual(expect.arrayContaining(asked));
    expect(built).not.toMatch(/jsx-runtime|ReactCurrentOwner|i18next/);
    // The oldest host tells kinds of modules apart by looking for words: this one must look like AMD alone.
    expect(built).not.toMatch(/(^\s*|[});\n]\s*)(import\s*(['"{]|\*)|export\s*[*{]|export\s+default)/);
    expect(Buffer.byteLength(built)).toBeLessThan(400_000);
  });

  test('the settings are filled in, saved and tested', async () => {
    bench.save({ url: '', secure: { apiKey: '' } });
    await open({ view: 'config' });
    await page.getByLabel('URL').fill(sample.source.url);
    await page.getByRole('button', { name: /reset/i }).first().click();
    await page.getByLabel('Access token').fill(sample.source.secure!.apiKey!);
    await page.getByRole('button', { name: 'Save & test' }).click();
    await page.getByText(/Connected to the log query service .*endpoints: .*logs\.all/).waitFor();
    await picture('grafana-config');
  });

  test('a wrong token and a wrong address are told apart', async () => {
    bench.save({ ...sample.source, secure: { apiKey: 'wrong' } });
    await open({ view: 'config' });
    await page.getByRole('button', { name: 'Save & test' }).click();
    await page
      .getByText(/access token/i)
      .filter({ hasText: /not valid|refused|wrong|unknown/i })
      .first()
      .waitFor();
    await page.getByLabel('URL').fill('http://127.0.0.1:1');
    await page.getByRole('button', { name: 'Save & test' }).click();
    await page
      .getByText(/ECONNREFUSED|cannot be reached|not reachable|refused/i)
      .first()
      .waitFor();
  });

  test('an endpoint is picked and its parameters filled in by keyboard alone, and rows come back', async () => {
    await open({ view: 'query' });
    await page.getByLabel('Endpoint').focus();
    await choose('usage.api-counts');
    await page.getByText('cached for 900 s').waitFor();
    await tabTo('interval *');
    await choose('hourly');
    // The control of older hosts shows what is chosen beside its field, not in it.
    if (!OTHER_PACKAGES) expect(await page.getByLabel('interval *').inputValue()).toBe('hourly');
    await tabTo('project *');
    await page.keyboard.type('.*');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'total_rest_requests' }).waitFor();
    await picture('grafana-query-saved');
  });

  test('log lines come back, and a variable stands for the project', async () => {
    await open({ view: 'query', query: { ...LOGS, params: { project: '$project' } } });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('columnheader', { name: 'body' }).waitFor();
    await page.getByText('GET | 500 | /realtime/v1/websocket').first().waitFor();
  });

  test('what the service refuses is shown', async () => {
    await open({
      view: 'query',
      query: { ...LOGS, params: { project: PROJECT, iso_timestamp_start: 'yesterday $x' } },
    });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByLabel('Result').getByRole('alert').first().waitFor();
  });

  test('SQL: the editor completes nested fields, and the query runs', async () => {
    await open({ view: 'query', query: { ...LOGS, mode: 'sql' } });
    // They are there once the tables are known.
    await page.getByRole('button', { name: 'Newest events' }).waitFor();
    await page.getByRole('textbox', { name: 'SQL text' }).focus();
    await page.keyboard.insertText(
      'select rq.\nfrom edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as rq limit 3'
    );
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Space');
    await page.locator('.suggest-widget').getByText('path', { exact: true }).first().waitFor();
    await picture('grafana-sql-completion');
    await page.keyboard.type('pat', { delay: 50 });
    await page.locator('.suggest-widget .monaco-list-row.focused').filter({ hasText: 'path' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('columnheader', { name: 'path' }).waitFor();
  });

  test.each(['dark', 'light'])('LQL: what is wrong is underlined and said in words, in the %s theme', async (theme) => {
    await open({
      view: 'query',
      theme,
      query: { ...LOGS, mode: 'lql', lql: 'f:edge_logs m.respons.status_code:>=500' },
    });
    await page.locator('.squiggly-error').first().waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /respons/ })
      .waitFor();
    await picture(`grafana-lql-${theme}`);
  });

  test('LQL: an example runs, and the SQL it stands for is shown', async () => {
    await open({ view: 'query', query: { ...LOGS, mode: 'lql' } });
    await page.getByRole('button', { name: 'Events over time' }).click();
    await page.getByRole('columnheader', { name: /count|events/ }).waitFor();
    await page.getByRole('button', { name: 'As SQL' }).click();
    await page
      .getByLabel('The SQL that the LQL stands for')
      .filter({ hasText: /select/i })
      .waitFor();
    await picture('grafana-lql-chart');
  });
});

const HANDED_TO_PLUGINS = [
  ...['@emotion/css', '@emotion/react', '@grafana/data', '@grafana/runtime', '@grafana/ui'],
  ...['lodash', 'module', 'moment', 'react', 'react-dom', 'rxjs', 'rxjs/operators'],
];
const LOGS = { endpoint: { name: 'logs.all' }, mode: 'saved', params: { project: PROJECT } };

async function open(wanted: { view: string; theme?: string; query?: object }): Promise<void> {
  const search = new URLSearchParams({
    view: wanted.view,
    theme: wanted.theme ?? 'dark',
    query: JSON.stringify(wanted.query ?? {}),
  });
  await page.goto(`${bench.url}/?${search}`);
  await page.getByRole('button').first().waitFor();
}

/** Presses Tab until the field is reached: what a keyboard alone can do. */
async function tabTo(label: string): Promise<void> {
  const id = await page.getByLabel(label).getAttribute('id');
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.id')) === id) return;
  }
  throw new Error(`The keyboard does not reach ${label}.`);
}

/** Types what narrows a list down to one option, and takes it once it is the marked one, as somebody who looks does. */
async function choose(option: string): Promise<void> {
  await page.keyboard.type(option, { delay: 20 });
  const marked = page.getByRole('option', { name: option, selected: true });
  // The control of older hosts marks by colour alone.
  const listed = page.getByLabel('Select option').filter({ hasText: option });
  await (OTHER_PACKAGES ? listed : marked).first().waitFor();
  await page.keyboard.press('Enter');
}

async function picture(name: string): Promise<void> {
  const folder = process.env.LQE_SCREENSHOTS;
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
