/**
 * The built plugin in a real browser, with the real backend process and a real service behind it.
 * `LQE_SCREENSHOTS=docs/images` keeps pictures.
 *
 * @slow 60
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type PluginHost, startPlugin } from '../backend/support/plugin-host';
import { EVENT_COUNT, PROJECT, type SampleService, startSampleService } from '../backend/support/sample-service';
import { buildPage, OTHER_PACKAGES } from './build-page';
import { findChromium } from './find-chromium';
import { hostBehaviour } from './host-behaviour';
import type { PlainFrame } from './page/explored';
import { startWorkbench, type Workbench } from './workbench-server';

// Two workers share a small machine with this browser.
jest.setTimeout(150_000);
const WAIT_MS = 60_000;

const OUT = mkdtempSync(path.join(tmpdir(), 'workbench-'));

interface OpenedView {
  readonly view: string;
  readonly theme?: string;
  readonly query?: object;
}

const LOGS = { endpoint: { name: 'logs.all' }, mode: 'saved', params: { project: PROJECT } };

let sample: SampleService;
let host: PluginHost;
let bench: Workbench;
let browser: Browser;
let context: BrowserContext;
/** One for each theme: a page takes seconds to load, and a host replaces what it shows, too. */
let pages: Map<string, Page>;
let page: Page;
let problems: string[];
let built: string;

beforeAll(async () => {
  const folders = await buildPage(OUT);
  built = readFileSync(path.join(folders.plugin, 'module.js'), 'utf8');
  sample = await startSampleService();
  host = await startPlugin();
  bench = await startWorkbench(host, folders);
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  pages = new Map();
  context = await browser.newContext({ viewport: { width: 1100, height: 640 } });
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await bench?.stop();
  await host?.stop();
  await sample?.stop();
  rmSync(OUT, { recursive: true, force: true });
}, 60_000);

beforeEach(() => {
  bench.save({ ...sample.source, jsonData: {} });
  problems = [];
});

afterEach(() => expect(problems).toEqual([]));

describe('the built plugin in a browser', () => {
  test('the bundle needs only what every version of the host has, contains no React, and is small', () => {
    const asked = JSON.parse(/^define\((\[[^\]]*\])/m.exec(built)![1]!) as string[];
    expect(HANDED_TO_PLUGINS).toEqual(expect.arrayContaining(asked));
    expect(built).not.toMatch(/jsx-runtime|ReactCurrentOwner|i18next/);
    // The oldest host tells kinds of modules apart by looking for words: this one must look like AMD alone.
    expect(built).not.toMatch(/(^\s*|[});\n]\s*)(import\s*(['"{]|\*)|export\s*[*{]|export\s+default)/);
    expect(Buffer.byteLength(built)).toBeLessThan(400_000);
  });

  test('files that the manifest names exist beside it', () => {
    const { info, includes } = JSON.parse(readFileSync(path.join(OUT, 'plugin', 'plugin.json'), 'utf8')) as {
      info: { logos: Record<string, string>; screenshots: Array<{ path: string }> };
      includes: Array<{ path: string }>;
    };
    const named = [...Object.values(info.logos), ...[...info.screenshots, ...includes].map((each) => each.path)];
    expect(named.filter((file) => !existsSync(path.join(OUT, 'plugin', file)))).toEqual([]);
  });

  test('components.ConfigEditor: the settings are filled in, saved and tested', async () => {
    bench.save({ url: '', secure: { apiKey: '' } });
    await open({ view: 'config' });
    await page.getByLabel('URL').fill(sample.source.url);
    await page.getByRole('button', { name: /reset/i }).first().click();
    await page.getByLabel('Access token').fill(sample.source.secure!.apiKey!);
    await page.getByRole('button', { name: 'Save & test' }).click();
    await page.getByText(/Connected to the log query service .*endpoints: .*logs\.all/).waitFor();
    await picture('grafana-config');
  });

  test('links, certificates and headers are filled in and saved', async () => {
    await open({ view: 'config' });
    await unfold('Links');
    await page.getByRole('button', { name: 'Add link' }).click();
    const link = page.getByRole('group', { name: 'Link 1' });
    await link.getByText('Write a name.').waitFor();
    await link.getByLabel('Name').fill('Path');
    await link.getByLabel('Label').fill('request.path');
    await link.getByLabel('URL or query').fill('https://example.org/${__value.raw}');
    expect(await link.getByRole('alert').count()).toBe(0);
    await unfold('TLS');
    await page.getByLabel('Add self-signed certificate').focus();
    await page.keyboard.press('Space');
    await page.getByLabel('CA certificate').fill('no certificate');
    await page.getByText('Begins with -----BEGIN CERTIFICATE-----.').waitFor();
    await unfold('HTTP headers and proxy');
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('button', { name: 'Save & test' }).click();
    await page.getByText(/The CA certificate of the data source cannot be read/).waitFor();
  });

  test('a wrong token and a wrong address have different messages', async () => {
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

  test('an endpoint is chosen and its parameters filled in by keyboard alone, and rows are shown', async () => {
    await open({ view: 'query' });
    await page.getByLabel('Endpoint').focus();
    await choose('usage.api-counts');
    await page.getByText('cached for 15 min').waitFor();
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

  test('log lines are shown, and a variable gives the project', async () => {
    await open({ view: 'query', query: { ...LOGS, params: { project: '$project' } } });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByRole('list', { name: 'Log lines' })
      .getByText('GET | 500 | /realtime/v1/websocket')
      .first()
      .waitFor();
    await picture('grafana-logs');
  });

  test('a project is chosen from those that the service lists', async () => {
    await open({ view: 'query', query: { endpoint: LOGS.endpoint, mode: 'saved' } });
    await page.locator(`datalist option[value="${PROJECT}"]`).waitFor({ state: 'attached' });
  });

  test('an error of the service is shown', async () => {
    await open({
      view: 'query',
      query: { ...LOGS, params: { project: PROJECT, iso_timestamp_start: 'yesterday $x' } },
    });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByLabel('Result').getByRole('alert').first().waitFor();
  });

  test('SQL: the editor completes nested fields, and the query runs', async () => {
    await open({ view: 'query', query: { ...LOGS, mode: 'sql', editorMode: 'code' } });
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

  test.each(['dark', 'light'])('LQL: an error is underlined and explained, in the %s theme', async (theme) => {
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

  test('LQL: an example runs, and the SQL that it compiles to is shown', async () => {
    await open({ view: 'query', query: { ...LOGS, mode: 'lql', editorMode: 'code' } });
    await page.getByRole('button', { name: 'Events over time' }).click();
    await page.getByRole('columnheader', { name: /count|events/ }).waitFor();
    await page.getByRole('button', { name: 'As SQL' }).click();
    await page
      .getByLabel('The SQL of the LQL')
      .filter({ hasText: /select/i })
      .waitFor();
    await picture('grafana-lql-chart');
  });
});

/** Rows of a day's log query that is asked for lines: the newest 100. */
const LINES = 100;

describe('queries of Explore and dashboards beside the main query', () => {
  const counted = (frames: readonly PlainFrame[]) =>
    frames.flatMap(({ fields }) => fields.slice(1)).reduce((sum, { values }) => sum + sumOf(values), 0);
  const saved = { refId: 'A', ...LOGS };
  const lql = { ...saved, mode: 'lql', lql: 'f:edge_logs' };
  const sql = {
    ...saved,
    mode: 'sql',
    sql: 'select id, timestamp, event_message, metadata from edge_logs order by timestamp desc limit 7',
  };

  beforeEach(async () => {
    await open({ view: 'query', query: saved });
    await page.getByLabel('project *').waitFor();
  });

  test('return frames that the library of the host reads', async () => {
    const read = async (query: object) => {
      const [frame] = await explored<PlainFrame[]>('query', { refId: 'A', ...query });
      return frame!.fields.map(({ type, displayName }) => `${type} ${displayName}`);
    };
    const usage = {
      endpoint: { name: 'usage.api-counts' },
      mode: 'saved',
      params: { interval: 'minutely', project: PROJECT },
    };
    expect(await read(usage)).toEqual([
      'time timestamp',
      'number Rest',
      'number Storage',
      'number Auth',
      'number Realtime',
    ]);
    expect(await read({ ...usage, params: { ...usage.params, project: 'unknown' } })).toHaveLength(5);
    expect(await read(saved)).toEqual([
      'time timestamp',
      'string body',
      'string severity',
      'string id',
      OTHER_PACKAGES ? 'other attributes' : 'other labels',
      'string tsNs',
    ]);
    const byPath = 'select $__timeGroup(timestamp, 2h) as time, rq.path as path, count(*) as n from edge_logs';
    const unnested = 'cross join unnest(metadata) as md cross join unnest(md.request) as rq group by time, path';
    const [, ...series] = await read({ ...sql, format: 'time_series', sql: `${byPath} ${unnested}` });
    expect(series.sort()).toEqual(
      ['/auth/v1/token', '/realtime/v1/websocket', '/rest/v1/orders', '/storage/v1/object/a.png'].map(
        (path) => `number n ${path}`
      )
    );
  });

  test('count every line of the range for the volume, not only the page shown', async () => {
    for (const query of [saved, lql, sql]) expect(counted(await explored('volume', query))).toBe(EVENT_COUNT);
    expect(await explored('volume', { ...sql, sql: 'select id from edge_logs' })).toEqual([]);
  });

  test('split the volume by the level that the settings name, in its colors', async () => {
    bench.save({ ...sample.source, jsonData: { logs: { levelField: 'request.path' } } });
    await open({ view: 'query', query: saved });
    const frames = await explored<PlainFrame[]>('volume', saved);
    expect(frames.map(({ fields }) => fields[1]!.labels)).toContainEqual({ level: '/rest/v1/orders' });
    expect(frames).toHaveLength(4);
    expect(counted(frames)).toBe(EVENT_COUNT);
  });

  test('show the lines that a count has counted as its sample', async () => {
    const usage = {
      refId: 'A',
      endpoint: { name: 'usage.api-counts' },
      mode: 'saved',
      params: { interval: 'daily', project: PROJECT },
    };
    const [ofSaved] = await explored<PlainFrame[]>('sample', usage);
    expect(ofSaved!.length).toBe(LINES);
    expect(ofSaved!.fields.find(({ name }) => name === 'body')!.values[0]).toContain(`https://${PROJECT}.`);
    const chart = { ...lql, lql: 'f:edge_logs m.response.status_code:>=500 c:count(*)', format: 'time_series' };
    const [ofChart] = await explored<PlainFrame[]>('sample', chart);
    expect(ofChart!.length).toBe(EVENT_COUNT / 4);
  });

  test('return the lines with the value when a line of a saved query is filtered', async () => {
    // Also waits for the tables of the endpoint, as a person does who reads lines first.
    await explored('contextQuery', saved, 0);
    const filtered = await explored<object>('filtered', saved, 'response.status_code', '404');
    expect(filtered).toMatchObject({ mode: 'lql', filters: [{ field: 'm.response.status_code', value: '404' }] });
    const [frame] = await explored<PlainFrame[]>('query', filtered);
    expect(frame!.length).toBe(EVENT_COUNT / 4);
    const back = await explored<object>('filtered', filtered, 'response.status_code', '404');
    const ids = async (query: object) =>
      (await explored<PlainFrame[]>('query', query))[0]!.fields.find(({ name }) => name === 'id')!.values;
    expect((await ids(back)).slice(0, LINES)).toEqual(await ids(saved));
  });

  test('offer fields and values for ad-hoc filters, apply them to LQL, and say where they do not apply', async () => {
    expect(await explored('tagKeys')).toContainEqual({ text: 'm.request.path' });
    const [values] = await explored<Array<Array<{ text: string }>>>('tagValues', 'm.request.path');
    expect(values!.map(({ text }) => text).sort()).toEqual(
      ['/auth/v1/token', '/realtime/v1/websocket', '/rest/v1/orders', '/storage/v1/object/a.png'].sort()
    );
    const filters = [{ key: 'm.request.path', operator: '=~', value: '^/(rest|auth)/' }];
    // Older hosts ask their template service for them.
    if (OTHER_PACKAGES) return;
    expect((await explored<PlainFrame[]>('query', lql, { filters }))[0]!.length).toBe(EVENT_COUNT / 2);
    const [unfiltered] = await explored<PlainFrame[]>('query', saved, { filters });
    expect(unfiltered!.notices).toEqual([expect.stringContaining('do not apply here')]);
  });

  test('have the links of the settings in the lines', async () => {
    const derivedFields = [{ name: 'Path', label: 'request.path', url: 'https://example.org/${__value.raw}' }];
    bench.save({ ...sample.source, jsonData: { logs: { derivedFields } } });
    await open({ view: 'query', query: saved });
    const [frame] = await explored<PlainFrame[]>('query', saved);
    expect(frame!.fields.find(({ name }) => name === 'Path')).toMatchObject({
      links: 1,
      values: expect.arrayContaining(['/auth/v1/token']),
    });
  });
});

describe('calls of the pages of Grafana', () => hostBehaviour({ page: () => page, open, explored }));

function explored<T>(method: string, ...args: unknown[]): Promise<T> {
  return page.evaluate(`explored.${method}(...${JSON.stringify(args)})`);
}

describe('the query builder', () => {
  test.each(['dark', 'light'])(
    'builds and runs counts by path and status, and turns them into code and back, in the %s theme',
    async (theme) => {
      await open({ view: 'query', theme, query: { ...LOGS, mode: 'sql' } });
      await page.getByLabel('Counts').click({ force: true });
      await page.getByRole('button', { name: 'Add filter' }).click();
      await pickFrom('Field of filter 1', 'm.response.status_code');
      await pickFrom('Operator of filter 1', '≥');
      await page.getByLabel('Value of filter 1').fill('400');
      await page.keyboard.press('Enter');
      await pickFrom('Add a group', 'm.request.path');
      await page
        .getByRole('columnheader', { name: /count/ })
        .first()
        .waitFor({ timeout: 20_000 })
        .finally(() => picture(`grafana-builder-${theme}`));
      await page.getByLabel('Code', { exact: true }).click({ force: true });
      await page.getByRole('button', { name: 'Format query' }).waitFor();
      await picture(`grafana-builder-code-${theme}`);
      await page.getByLabel('Builder', { exact: true }).click({ force: true });
      expect(await page.getByLabel('Value of filter 1').inputValue()).toBe('400');
    }
  );

  test.each(['dark', 'light'])(
    'builds rows in LQL, and explains a text that it cannot show, in the %s theme',
    async (theme) => {
      const lql = 'f:edge_logs $__timeFilter m.response.status_code:>=500 s:timestamp s:m.request.path';
      await open({ view: 'query', theme, query: { ...LOGS, mode: 'lql', lql, editorMode: 'builder' } });
      expect(await page.getByLabel('Value of filter 1').inputValue()).toBe('500');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('columnheader', { name: 'metadata_request_path' }).waitFor();
      await picture(`grafana-builder-lql-${theme}`);
      const sql = 'select id -- the newest\nfrom edge_logs';
      await open({ view: 'query', theme, query: { ...LOGS, mode: 'sql', sql, editorMode: 'builder' } });
      await page.getByText(/It has comments/).waitFor();
      await page.getByText('Optional parameters').click();
      await picture(`grafana-builder-unreadable-${theme}`);
      await page.getByRole('button', { name: 'Start over in the builder' }).click();
      await page.getByRole('button', { name: 'Replace the text' }).click();
      await page.getByRole('combobox', { name: 'Table' }).waitFor();
    }
  );

  test.each(['dark', 'light'])(
    'has closed sections of settings, with level rules in one of them, in the %s theme',
    async (theme) => {
      bench.save({ url: `${sample.source.url}/api`, secure: sample.source.secure, jsonData: {} });
      await open({ view: 'config', theme });
      await picture(`grafana-config-closed-${theme}`);
      await page.getByRole('button', { name: `Change it to ${sample.source.url}` }).click();
      await unfold('Logs');
      await page.getByLabel('Custom').click({ force: true });
      await page.getByRole('group', { name: 'Level rule 1' }).waitFor();
      await page.getByRole('button', { name: 'Save & test' }).click();
      await page.getByText(/Connected to the log query service/).waitFor();
      await picture(`grafana-config-levels-${theme}`);
    }
  );
});

/** Takes another option of a list that has one already, with the mouse. */
async function pickFrom(label: string, option: string): Promise<void> {
  const wanted = page.getByRole('option', { name: option }).first();
  // The list closes when its editor is drawn again, for the fields that the service names or for a check that has come
  // back.
  for (let tries = 0; tries < 10; tries++) {
    await page.getByLabel(label).click();
    await page.getByLabel(label).fill(option);
    const isTaken = await wanted.click({ timeout: 5_000 }).then(
      () => true,
      () => false
    );
    if (isTaken) return;
    await page.keyboard.press('Escape');
  }
  throw new Error(`${label} does not offer ${option}.`);
}

async function unfold(section: string): Promise<void> {
  await page.getByRole('button', { name: section, expanded: false }).click();
}

function sumOf(values: readonly unknown[]): number {
  return values.reduce((sum: number, value) => sum + Number(value ?? 0), 0);
}

const HANDED_TO_PLUGINS = [
  ...['@emotion/css', '@emotion/react', '@grafana/data', '@grafana/runtime', '@grafana/ui'],
  ...['lodash', 'module', 'moment', 'react', 'react-dom', 'rxjs', 'rxjs/operators'],
];

async function open({ view, theme = 'dark', query = {} }: OpenedView): Promise<void> {
  page = pages.get(theme) ?? (await newPage(theme));
  await page.bringToFront();
  await page.mouse.move(0, 0);
  await page.evaluate(`show(${JSON.stringify({ view, theme, query })})`);
  await page.getByRole('button').first().waitFor();
}

async function newPage(theme: string): Promise<Page> {
  const made = await context.newPage();
  made.setDefaultTimeout(WAIT_MS);
  made.on('pageerror', (error) => problems.push(String(error)));
  await made.goto(`${bench.url}/?${new URLSearchParams({ view: 'config', theme }).toString()}`);
  await made.getByRole('button').first().waitFor();
  pages.set(theme, made);
  return made;
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

/** Types what narrows a list down to one option, and takes it once it is the marked one, as a person does. */
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
