/** What Grafana's pages do with a data source besides queries. Titles begin with rows of host-calls.md. */
import type { Page } from 'playwright-core';
import { EVENT_COUNT, PROJECT } from '../backend/support/sample-service';
import { OTHER_PACKAGES } from './build-page';
import { hostCalls } from './host-calls';
import type { PlainFrame } from './page/explored';

export interface OpenBench {
  readonly page: () => Page;
  /** The page of one of the workbench's views, once there is something to press. */
  readonly open: (wanted: { view: string; query?: object }) => Promise<void>;
  /** Calls one of the functions of page/explored.ts. */
  readonly explored: <T>(method: string, ...args: unknown[]) => Promise<T>;
}

/** Not there where the host makes the request itself. */
const OF_OLDER_HOSTS = 'getDataProvider';
const SAVED = { refId: 'A', endpoint: { name: 'logs.all' }, mode: 'saved', params: { project: PROJECT } };
const SQL = { ...SAVED, mode: 'sql', sql: 'select id, timestamp, event_message, metadata from edge_logs' };
const LQL = { ...SAVED, mode: 'lql', lql: 'f:edge_logs' };
const PATHS = ['/auth/v1/token', '/realtime/v1/websocket', '/rest/v1/orders', '/storage/v1/object/a.png'];
/** Lines of an answer of `logs.all`. */
const PAGE_ROWS = 100;

export function hostBehaviour({ page, open, explored }: OpenBench): void {
  const idsOf = (frame: PlainFrame | undefined) => frame!.fields.find(({ name }) => name === 'id')!.values;

  describe('annotations', () => {
    const stored = { name: 'Errors', enable: true, iconColor: 'red' };

    test.each([
      ['one without a mode', { refId: 'Anno', endpoint: { name: 'logs.all' }, params: { project: PROJECT } }],
      ['one that was written by an editor', { ...SAVED, refId: 'Anno', format: 'logs', schemaVersion: 1 }],
      ['SQL', { ...SQL, refId: 'Anno' }],
    ])('annotations.prepareAnnotation: the page comes to rest with %s', async (_name, target) => {
      await open({ view: 'annotation', query: { ...stored, target } });
      const outcome = page().getByText(/^\d+ events$|is another one each time$/);
      expect(await outcome.first().textContent()).toMatch(/^[1-9]\d* events$/);
    });

    test('annotations.getDefaultQuery, components.QueryEditor: a new annotation is queried once its project is written', async () => {
      await open({ view: 'annotation', query: stored });
      await page().getByLabel('project *').fill(PROJECT);
      await page().keyboard.press('Enter');
      await page()
        .getByRole('status')
        .filter({ hasText: `${PAGE_ROWS} events` })
        .waitFor();
    });

    test('annotations.processEvents: each line is an event, on dashboards too', async () => {
      await open({ view: 'query', query: SAVED });
      const events = await explored<Array<{ time: number; text: string }>>('annotations', {
        ...stored,
        target: { ...SAVED, refId: 'Anno' },
      });
      expect(events).toHaveLength(PAGE_ROWS);
      expect(events[0]).toMatchObject({ time: expect.any(Number), text: expect.stringContaining('/') });
    });
  });

  describe('variables', () => {
    const byPath = {
      ...SQL,
      sql: 'select distinct rq.path as path from edge_logs cross join unnest(metadata) as md cross join unnest(md.request) as rq',
    };

    test('variables.query, variables.getType: options are found when the function is called without its object', async () => {
      await open({ view: 'query', query: SAVED });
      const options = await explored<Array<{ value: string }>>('options', byPath);
      expect(options.map(({ value }) => value).sort()).toEqual(PATHS);
      expect(await explored('options', byPath, 'rest*')).toEqual([
        { text: '/rest/v1/orders', value: '/rest/v1/orders' },
      ]);
      const endpoints = await explored<Array<{ value: string }>>('options', {
        refId: 'v',
        variable: { list: 'endpoints' },
      });
      expect(endpoints.map(({ value }) => value)).toContain('logs.all');
    });

    test('variables.editor, variables.getDefaultQuery: the editor of a new variable starts with an empty text', async () => {
      await open({ view: 'variable' });
      await page().getByLabel('Endpoints').press('Space');
      await page().getByRole('list', { name: 'Preview of values' }).getByText('logs.all').waitFor();
      // Outside of it are those of Monaco, for screen readers.
      expect(await page().locator('main').getByRole('alert').allTextContents()).toEqual([]);
    });
  });

  describe('rows of queries', () => {
    test('components.QueryEditor: an editor that is closed while it works has no later effects, and the next one works', async () => {
      await open({ view: 'row', query: SQL });
      for (let turn = 0; turn < 3; turn++) {
        await page().getByRole('button', { name: 'Collapse query row' }).click();
        await page().getByRole('button', { name: 'Expand query row' }).click();
      }
      await page().getByRole('textbox', { name: 'SQL text' }).focus();
      await page().keyboard.press('Control+A');
      await page().keyboard.insertText('select 1 as one');
      await page().getByRole('button', { name: 'Collapse query row' }).click();
      await page().getByRole('status').filter({ hasText: 'select 1 as one' }).waitFor();
      await page().getByRole('button', { name: 'Expand query row' }).click();
      await page().getByRole('button', { name: 'Run', exact: true }).click();
      await page().getByRole('columnheader', { name: 'one' }).waitFor();
      expect(await page().getByText('An editor that was unmounted').count()).toBe(0);
    });

    test('getQueryDisplayText, components.QueryEditorHelp: a closed row is described in words, and an example is taken', async () => {
      await open({ view: 'row', query: SAVED });
      await page().getByRole('button', { name: 'Show data source help' }).click();
      await page()
        .getByRole('button', { name: /\(LQL\)$/ })
        .first()
        .click();
      await page().getByRole('button', { name: 'Collapse query row' }).click();
      await page().getByRole('status').filter({ hasText: 'edge_logs' }).waitFor();
    });
  });

  describe('requests', () => {
    beforeEach(async () => {
      await open({ view: 'query', query: SAVED });
      // Parameters are there once the endpoints are known, which decide whether a query can run.
      await page().getByLabel('project *').waitFor();
    });

    test('query: a second request of the same id cancels the first, which ends with an error', async () => {
      expect(await explored('queryTwice', SAVED)).toEqual([
        { frames: 0, errors: 1 },
        { frames: 1, errors: 0 },
      ]);
    });

    test('getLogRowContext: later and earlier lines are requested at the same time, and both are returned', async () => {
      for (const query of [SAVED, SQL, LQL]) {
        const [shown] = await explored<PlainFrame[]>('query', {
          ...query,
          ...(query === SQL ? { sql: `${SQL.sql} order by timestamp desc limit 9` } : {}),
        });
        const [[later], [earlier]] = await explored<[PlainFrame[], PlainFrame[]]>(
          'context',
          { ...query, ...(query === SQL ? { sql: `${SQL.sql} order by timestamp desc limit 9` } : {}) },
          2,
          [2, 3]
        );
        expect(idsOf(later)).toEqual([...idsOf(shown).slice(0, 2)].reverse());
        expect(idsOf(earlier)).toEqual(idsOf(shown).slice(3, 6));
      }
    });

    test('getLogRowContextQuery: a second pane shows the lines around the line', async () => {
      const frames = await explored<PlainFrame[]>('contextQuery', SAVED, 2);
      expect(frames[0]!.length).toBeGreaterThan(0);
    });

    test('getTagKeys, getTagValues: the values of several fields are requested at the same time, and all are returned', async () => {
      expect(await explored('tagKeys')).toContainEqual({ text: 'm.request.path' });
      const [paths, methods] = await explored<Array<Array<{ text: string }>>>(
        'tagValues',
        'm.request.path',
        'm.request.method'
      );
      expect(paths!.map(({ text }) => text).sort()).toEqual(PATHS);
      expect(methods!.length).toBeGreaterThan(0);
    });

    test('getSupportedSupplementaryQueryTypes, getSupplementaryRequest: a query that is not run has no volume', async () => {
      expect(await explored('volume', { ...SAVED, params: {} })).toEqual([]);
      const levels = await explored<PlainFrame[]>('volume', SAVED);
      const counts = levels.flatMap(({ fields }) => fields.slice(1).flatMap(({ values }) => values.map(Number)));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(EVENT_COUNT);
    });

    test('interpolateVariablesInQueries: a panel that is opened in Explore shows the same lines', async () => {
      const query = { ...SAVED, params: { project: '$project' } };
      const [opened] = await explored<PlainFrame[]>('interpolated', query);
      expect(idsOf(opened)).toEqual(idsOf((await explored<PlainFrame[]>('query', query))[0]));
    });

    // Other versions of the host's base class have other members of their own.
    (OTHER_PACKAGES ? test.skip : test)('the table says of each member whether the data source has it', async () => {
      const names = hostCalls().map(({ name }) => name);
      const ours = hostCalls().filter(({ name, isOurs }) => isOurs && name !== OF_OLDER_HOSTS);
      expect(await explored('present', names)).toEqual(ours.map(({ name }) => name));
    });

    test('testDatasource: the result says success, with a message', async () => {
      expect(await explored('health')).toMatchObject({
        status: 'success',
        message: expect.stringContaining('logs.all'),
      });
    });
  });
}
