/**
 * Sources, uploads and first steps, in a real browser with a real service.
 *
 * @slow 120
 */
import { gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '#contract/tokens/token';
import { PROCESS_TOKEN, createPlace, type Place, type ServiceProcess, startService } from '../support/servers/spawned';
import { consoleForTests } from './support/console-page';

const browser = consoleForTests();
const SEND = '/console/sources?view=send&source=edge_requests';
const SHIPPERS = '/console/sources?view=shippers&source=edge_requests';

const call = async (
  path: string,
  init: { method?: string; body?: unknown } = {},
  url = browser.service.service.url
) => {
  const answer = await fetch(`${url}${path}`, {
    method: init.method ?? 'GET',
    headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/json' },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  return (answer.status === 204 ? null : await answer.json()) as { result: Record<string, never> };
};

async function makeToken(scopes: readonly Scope[], limits: object = {}): Promise<{ token: string; id: string }> {
  const { result } = await call('/api/tokens', { method: 'POST', body: { name: 'test', scopes, ...limits } });
  return result as unknown as { token: string; id: string };
}

/** Events that a project has. */
async function countOf(project: string, url?: string): Promise<number> {
  const sql = encodeURIComponent('select count(*) as n from edge_logs');
  const answer = await call(`/api/endpoints/query/logs.all?project=${project}&sql=${sql}`, {}, url);
  return (answer.result as unknown as [{ n: number }])[0].n;
}

const event = (project: string, n: number): string =>
  JSON.stringify({
    project,
    timestamp: new Date(Date.now() - n).toISOString(),
    event_message: `event ${n}`,
    metadata: { n },
  });

const events = (project: string, count: number): string[] => Array.from({ length: count }, (_, n) => event(project, n));

async function chooseFile(name: string, content: Buffer | string): Promise<void> {
  await browser.page.getByLabel('choose one').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
  await browser.page.getByRole('region', { name: 'File' }).waitFor();
}

const send = (): Promise<void> => browser.page.getByRole('button', { name: /^Send to / }).click();
const button = (name: string) => browser.page.getByRole('button', { name, exact: true });
const upload = () => browser.page.getByRole('region', { name: 'Upload' });
const said = (text: string | RegExp): Promise<void> => upload().getByText(text).first().waitFor();

describe('the list of sources', () => {
  test('says whose fields a source has, once half of them are in use', async () => {
    const nested_fields = {
      ...{ fields: 2510, max_fields: 5000, columns: 12, max_columns: 400 },
      tenants: [{ tenant: 'greedy', fields: 2500, columns: 10 }],
    };
    await browser.page.route('**/api/sources', async (route) => {
      const answer = await route.fetch();
      const { result } = (await answer.json()) as { result: readonly object[] };
      const [first, ...others] = result;
      await route.fulfill({ response: answer, json: { result: [{ ...first, nested_fields }, ...others] } });
    });
    await browser.signIn('/console/sources');
    const shown = browser.page.getByText('of 5,000 fields');
    await shown.waitFor();
    expect(await shown.allInnerTexts()).toEqual(['2,510 of 5,000 fields and 12 of 400 columns in use, most by greedy']);
  });

  test('shows what arrived in the last hour, and leads to the box that sends events', async () => {
    await browser.signIn('/console/sources');
    await browser.page.getByRole('img', { name: /^240 new events in the last hour/ }).waitFor();
    for (const width of [1280, 1065, 1000, 897, 833, 768, 320]) {
      await browser.page.setViewportSize({ width, height: 900 });
      const hidden: number = await browser.page.evaluate(
        "((list) => list.scrollWidth - list.clientWidth)(document.querySelector('.scroll'))"
      );
      expect({ width, hidden }).toEqual({ width, hidden: 0 });
      // The field of the tenant is a name, which is not to break within a word.
      const lines = await browser.page.evaluate<number[]>(`(() => {
        const tenants = [...document.querySelectorAll('.list .soft')].filter((each) => each.textContent.startsWith('tenant: '));
        return tenants.map((each) => {
          const range = document.createRange();
          range.selectNodeContents(each);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        });
      })()`);
      expect({ width, lines }).toEqual({ width, lines: lines.map(() => 1) });
      expect(lines.length).toBeGreaterThan(5);
    }
    await browser.page.setViewportSize({ width: 1280, height: 900 });
    await browser.page.getByRole('button', { name: 'Send events to edge_requests' }).click();
    expect(new URL(browser.page.url()).search).toBe('?view=send&source=edge_requests');
  });

  test('is not shown to a token that may only send events', async () => {
    const { token } = await makeToken(['ingest'], { tenant: 'narrow' });
    await browser.signIn('/', token);
    await browser.page.getByText('This token may neither list nor call saved queries').waitFor();
    await browser.page.getByRole('link', { name: 'Sources' }).click();
    await browser.page.getByLabel('Source', { exact: true }).fill('edge_requests');
    await browser.page.getByLabel('Events', { exact: true }).fill('{"event_message":"narrow"}');
    await send();
    await said(/^Sent in/);
    expect(await browser.page.getByRole('tab').allTextContents()).toEqual(['Send events', 'Log shippers']);
    expect(await countOf('narrow')).toBe(1);
  });

  test.each([
    ['without the scope', ['query'], {}],
    ['of one tenant', ['query', 'endpoints:read'], { tenant: 'narrow' }],
  ] as const)('is not said to be empty to a token %s', async (_, scopes, limits) => {
    const { token } = await makeToken(scopes, limits);
    await browser.signIn('/console/sources', token);
    await browser.page.getByText('This token may not list the sources').waitFor();
    expect(await browser.page.getByText('No events have arrived yet').count()).toBe(0);
    expect(await browser.page.getByRole('link', { name: 'Sources' }).count()).toBe(0);
  });

  test('offers no box to a token without the scope ingest', async () => {
    const { token } = await makeToken(['endpoints:read']);
    await browser.signIn(SEND, token);
    await browser.page.getByRole('region', { name: 'Sources' }).waitFor();
    expect(await browser.page.getByRole('tab').allTextContents()).toEqual(['Sources', 'Log shippers']);
    expect(await browser.page.getByRole('button', { name: /Send events/ }).count()).toBe(0);
  });
});

describe('sending events', () => {
  test('of a pasted text stores the good ones and names the bad ones by their place', async () => {
    await browser.signIn(`${SEND}&project=pasted`);
    const bad = '{"event_message":"bad","timestamp":"<img src=x onerror=alert(1)>"}';
    await browser.page
      .getByLabel('Events', { exact: true })
      .fill(`{"event_message":"one"}\n${bad}\n{"a":}\n{"event_message":"two"}`);
    await send();
    await said('without the rejected events');
    const rows = await upload().getByRole('row').allTextContents();
    expect(rows[1]).toMatch(/^2bad_timestamp/);
    expect(rows[2]).toMatch(/^3bad_json/);
    expect(await browser.page.locator('main img').count()).toBe(0);
    expect(await countOf('pasted')).toBe(2);
  });

  test('of a text that is pasted twice stores it twice, since that may be meant', async () => {
    await browser.signIn(`${SEND}&project=twice`);
    await browser.page.getByLabel('Events', { exact: true }).fill('{"event_message":"alive"}');
    await send();
    await said(/^Sent in/);
    await browser.page.reload();
    await browser.page.getByLabel('Events', { exact: true }).fill('{"event_message":"alive"}');
    await send();
    await said(/^Sent in/);
    expect(await countOf('twice')).toBe(2);
  });

  test('a long text that is pasted is taken as a file', async () => {
    await browser.signIn(SEND);
    await browser.page.getByLabel('Events', { exact: true }).click();
    await browser.paste(events('long-paste', 2_000).join('\n'));
    await browser.page.getByText('Pasted text').waitFor();
    await send();
    await said('2,000 stored');
    expect(await countOf('long-paste')).toBe(2_000);
  });

  test('of a text stores it once for a double click, and the text stays while another view is shown', async () => {
    await browser.signIn('/console/sources?view=send&source=edge_requests&project=double');
    const asked: string[] = [];
    browser.page.on('request', (request) => request.url().includes('/api/logs') && asked.push(request.url()));
    await browser.page.getByLabel('Events').fill('{"event_message":"once"}');
    await browser.page.getByRole('tab', { name: 'Log shippers' }).click();
    await browser.page.getByRole('tab', { name: 'Send events' }).click();
    expect(await browser.page.getByLabel('Events').inputValue()).toBe('{"event_message":"once"}');
    await button('Send to edge_requests').dblclick();
    await browser.page.getByText(/^Sent in/).waitFor();
    await browser.page.waitForTimeout(300);
    expect(asked).toHaveLength(1);
  });

  test('goes on in another view, and a link asks before it ends it', async () => {
    await browser.signIn('/console/sources?view=send&source=edge_requests&project=asked');
    let answer = (): void => undefined;
    await browser.page.route('**/api/logs?*', async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    await browser.page.getByLabel('Events').fill('{"event_message":"slow"}');
    await button('Send to edge_requests').click();
    await browser.page.getByText('Sending …').waitFor();
    await browser.page.getByRole('tab', { name: 'Log shippers' }).click();
    await browser.page.getByRole('link', { name: 'Status' }).click();
    await browser.page.getByRole('dialog', { name: 'Leave this page?' }).waitFor();
    await button('Stay on this page').click();
    await browser.page.getByRole('tab', { name: 'Send events' }).click();
    answer();
    await browser.page.getByText(/^Sent in/).waitFor();
    await browser.page.getByRole('link', { name: 'Status' }).click();
    await browser.page.getByRole('heading', { name: 'Status' }).waitFor();
  });

  test('is asked about before a link leaves the page with a text that was not sent', async () => {
    await browser.signIn(`${SEND}&project=unsent`);
    await browser.page.getByLabel('Events', { exact: true }).fill('{"event_message":"unsent"}');
    await browser.page.getByRole('link', { name: 'Status' }).click();
    await browser.page.getByRole('dialog', { name: 'Leave this page?' }).waitFor();
    await button('Leave the page').click();
    await browser.page.getByRole('heading', { name: 'Status' }).waitFor();
  });

  test('of an array of 10,000 finds the broken one, and a file that is sent again stores nothing twice', async () => {
    await browser.signIn(SEND);
    const all = events('array', 10_000);
    all[5000] = '{"project":"array","event_message": }';
    await chooseFile('events.json', `[\n${all.join(',\n')}\n]`);
    await browser.page.getByText('a JSON array of events').waitFor();
    await send();
    await said('9,999');
    expect(await upload().getByRole('row').nth(1).textContent()).toMatch(/^5,001bad_json/);
    expect(await countOf('array')).toBe(9999);
    await send();
    await said('stored before');
    expect(await countOf('array')).toBe(9999);
  });

  test('of a compressed file, and of plain text', async () => {
    await browser.signIn(SEND);
    await chooseFile('events.ndjson.gz', gzipSync(events('gzip', 500).join('\n')));
    await browser.page.getByText('· gzip ·').waitFor();
    await send();
    await said('500');
    await browser.signIn(`${SEND}&project=plain`);
    await chooseFile('access.log', 'GET /a 200\r\nGET /b "404"\n\n');
    await browser.page.getByText('plain text: each line').waitFor();
    await send();
    await said(/^Sent in/);
    expect([await countOf('gzip'), await countOf('plain')]).toEqual([500, 2]);
  });

  test('refuses a file that holds no text', async () => {
    await browser.signIn(SEND);
    await chooseFile('picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 255]));
    await browser.page.getByText('no text, so it has no events').waitFor();
    expect(await browser.page.getByRole('button', { name: /^Send to/ }).isDisabled()).toBe(true);
    await browser.page.getByRole('button', { name: 'Remove the file' }).click();
    await browser.page.getByLabel('choose one').setInputFiles({
      name: 'broken.gz',
      mimeType: '',
      buffer: Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
    });
    await browser.page.getByText('broken.gz cannot be read').waitFor();
  });

  test('stops early when every event of the first piece is rejected', async () => {
    await browser.signIn(SEND);
    await chooseFile('other.ndjson', '{"event_message":"no tenant"}\n'.repeat(30_000));
    await send();
    await said('None of the first 10,000 events was accepted');
    await said(/tenant_missing/);
  });

  test('shows the refusal of a source that is not there, and of a token that is revoked on the way', async () => {
    const { token, id } = await makeToken(['ingest']);
    await browser.signIn('/console/sources?view=send&source=nowhere&project=revoked', token);
    await chooseFile('many.ndjson', events('revoked', 120_000).join('\n'));
    await send();
    await said('source_not_found');
    await browser.page.getByLabel('Source', { exact: true }).fill('edge_requests');
    await send();
    await upload()
      .getByText(/^[1-9][\d,]* stored$/)
      .waitFor();
    await call(`/api/tokens/${id}`, { method: 'DELETE' });
    await said('token_invalid');
    await said('what is stored already is not stored twice');
    const stored = await countOf('revoked');
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(120_000);
  });

  test('goes on while the service answers nothing, also after the list of sources could not be loaded', async () => {
    await browser.page.clock.install();
    await browser.signIn(SEND);
    const lines = events('away', 100);
    await chooseFile('away.ndjson', lines.join('\n'));
    await browser.page.route(/\/api\/(logs|sources)/, (route) => route.abort('connectionrefused'));
    await send();
    await said('Waiting for the service');
    // The page asks for the list every 10 s.
    for (let poll = 0; poll < 3; poll++) {
      const failed = browser.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/sources'));
      await browser.page.clock.fastForward(10_000);
      await failed;
    }
    await browser.page.unroute(/\/api\/(logs|sources)/);
    await said(/^Sent in/);
    expect(await countOf('away')).toBe(lines.length);
    browser.forgetRefusedConnections();
  });

  test('is cancelled, and goes on in another tab with the same file', async () => {
    await browser.signIn(SEND);
    const content = events('tabs', 60_000).join('\n');
    await chooseFile('tabs.ndjson', content);
    await send();
    await upload()
      .getByText(/^[1-9][\d,]* stored$/)
      .waitFor();
    await browser.page.getByRole('button', { name: 'Cancel' }).click();
    await said(/^Cancelled/);
    const other = await browser.context.newPage();
    await other.goto(browser.at(`/#token=${PROCESS_TOKEN}`));
    await other.getByRole('navigation', { name: 'Pages' }).waitFor();
    await other.goto(browser.at(SEND));
    await other.getByLabel('choose one').setInputFiles({ name: 'b', mimeType: '', buffer: Buffer.from(content) });
    await other.getByRole('button', { name: /^Send to/ }).click();
    await other.getByText(/^Sent in/).waitFor();
    await other.close();
    expect(await countOf('tabs')).toBe(60_000);
  });
});

describe('set-ups of log shippers', () => {
  test('have the address of this service and the chosen source, and no token', async () => {
    await browser.signIn(`${SHIPPERS}&project=acme`);
    await browser.page.getByLabel('Log shipper').selectOption('Vector');
    const text = await browser.page.getByLabel('Set-up of Vector').textContent();
    expect(text).toContain(`uri: ${browser.service.service.url}/api/logs?source=edge_requests`);
    expect(text).toContain('.project = "acme"');
    await browser.page.getByLabel('Source', { exact: true }).selectOption('function_events');
    expect(await browser.page.getByLabel('Set-up of Vector').textContent()).toContain(
      'source=function_events&project=acme'
    );
    expect(await browser.page.content()).not.toContain(PROCESS_TOKEN);
  });

  test('come with a token that may send events and nothing else, shown once', async () => {
    await browser.signIn(SHIPPERS);
    await browser.page.getByLabel('Tenant').first().fill('acme');
    await browser.page.getByLabel('Name').fill('<b>vector</b>');
    await browser.page.getByRole('button', { name: 'Create the token' }).click();
    const token = (await browser.page.getByLabel('Text of the token').textContent())!;
    expect(token).toMatch(/^lqe_/);
    const own = await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': token } });
    expect(((await own.json()) as { result: object }).result).toMatchObject({
      name: '<b>vector</b>',
      scopes: ['ingest'],
      tenant: 'acme',
    });
    await browser.page.getByRole('link', { name: 'Status' }).click();
    await browser.page.getByRole('button', { name: 'Stay on this page' }).click();
    await browser.page.getByRole('button', { name: 'Done' }).click();
    expect(await browser.page.content()).not.toContain(token);
  });
});

describe('a service of its own', () => {
  let place: Place;
  let service: ServiceProcess;
  beforeEach(async () => {
    place = createPlace();
    service = await startService(place);
  });
  afterEach(async () => {
    await service.stop();
    place.remove();
  });

  const signIn = async (address: string): Promise<void> => {
    await browser.page.goto(`${service.url}/#token=${PROCESS_TOKEN}`);
    await browser.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await browser.page.goto(`${service.url}${address}`);
  };

  test('that is empty says what to do first, and loads the sample logs', async () => {
    await signIn('/console/queries');
    await browser.page.getByRole('heading', { name: 'No events have arrived yet' }).waitFor();
    expect(await browser.accessibilityProblems()).toEqual([]);
    await browser.keepPicture('first-steps');
    await browser.page.getByRole('button', { name: 'Load the sample logs' }).click();
    await browser.page
      .getByRole('heading', { name: 'No events have arrived yet' })
      .waitFor({ state: 'detached', timeout: 120_000 });
    const { result } = await call('/api/sources', {}, service.url);
    const stored = result as unknown as readonly { name: string; events: number }[];
    expect(stored.find(({ name }) => name === 'edge_requests')!.events).toBe(12_000);
    expect(stored.every(({ events: count }) => count > 0)).toBe(true);
  });

  test('that is killed and started again in the middle of an upload loses nothing and stores nothing twice', async () => {
    await signIn(SEND);
    const lines = events('killed', 80_000);
    await chooseFile('killed.ndjson', lines.join('\n'));
    await send();
    await upload()
      .getByText(/^[1-9][\d,]* stored$/)
      .waitFor();
    const { port } = service;
    await service.stop('SIGKILL');
    await said('Waiting for the service');
    service = await startAgain(place, port);
    await upload()
      .getByText(/^Sent in/)
      .waitFor({ timeout: 90_000 });
    expect(await countOf('killed', service.url)).toBe(lines.length);
    // The page would ask the service that is stopped after this test.
    await browser.page.goto('about:blank');
    browser.forgetRefusedConnections();
  });
});

async function startAgain(place: Place, port: number): Promise<ServiceProcess> {
  for (const until = Date.now() + 30_000; ; await sleep(100)) {
    try {
      return await startService(place, { LQE_PORT: String(port) });
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

describe('figures', () => {
  test('the list of saved queries has the calls of the last hour, and a search that is in the address', async () => {
    for (let n = 0; n < 3; n++) await call('/api/endpoints/query/usage.api-counts?project=figures&interval=daily');
    await browser.signIn('/console/queries?q=usage');
    const row = browser.page.getByRole('row', { name: /usage.api-counts/ });
    await row.getByText('2 cached').waitFor();
    expect(await row.textContent()).toMatch(/cached for 15 min \(1 now\).*3.*\d m?s/);
    expect(await browser.page.getByRole('row').count()).toBe(2);
    await browser.page.getByLabel('Search').fill('usage hostile');
    await browser.page.waitForURL(/q=usage(%20|\+)hostile/);
  });

  test('are left out for a token of one tenant', async () => {
    const { token } = await makeToken(['endpoints:read', 'metrics:read'], { tenant: 'acme' });
    await browser.signIn('/console/queries', token);
    await browser.page.getByRole('link', { name: 'logs.all' }).waitFor();
    expect(await browser.page.getByRole('columnheader').allTextContents()).not.toContain('p95');
    await browser.page.goto(browser.at('/console/status'));
    await browser.page.getByText('The service answers calls.').waitFor();
    await browser.page.getByText('are shown to tokens with the scope metrics:read').waitFor();
  });

  test('the status shows every part, and the slowest calls without their texts', async () => {
    const sql = encodeURIComponent("select 'slow-text' as s");
    await call(`/api/endpoints/query/logs.all?project=figures&sql=${sql}`);
    await browser.signIn('/console/status');
    for (const name of ['Memory of the engine', 'Disk of the data folder', 'Cache'])
      await browser.page.getByRole('meter', { name }).waitFor();
    const slowest = browser.page.getByRole('region', { name: 'Slowest calls' });
    await slowest.getByText('ad-hoc').first().waitFor();
    await slowest.getByText('bootstrap').first().waitFor();
    expect(await browser.page.content()).not.toContain('slow-text');
    // Figures of before are not the answer of now.
    await browser.page.route('**/api/status', (route) => route.abort());
    await browser.page.getByRole('button', { name: 'Refresh' }).click();
    await browser.page.getByText('The figures below are those of the last answer.').waitFor();
    expect(await browser.page.getByText('The service answers calls').count()).toBe(0);
    browser.forgetRefusedConnections();
  });

  test('a source of the address that is not there is shown, since it would be sent to', async () => {
    await browser.signIn('/console/sources?view=send&source=nowhere');
    expect(await browser.page.getByLabel('Source', { exact: true }).inputValue()).toBe('nowhere');
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each([
    ['sources', '/console/sources'],
    ['send events', SEND],
    ['log shippers', SHIPPERS],
    ['status', '/console/status'],
    ['saved queries', '/console/queries'],
  ])('%s: nothing that axe finds, and nothing wider than a phone', async (name, address) => {
    await browser.open({ colorScheme });
    await browser.signIn(address);
    await browser.page.getByRole('heading', { level: 1 }).waitFor();
    await browser.page.locator('.tabs, .levels, table').first().waitFor();
    if (name === 'send events') {
      const bad = '{"event_message":"late","timestamp":"2001-01-01T00:00:00Z"}';
      const text = ['{"event_message":"hello"}', bad, `{"a":"${'x'.repeat(300)}",}`].join('\n');
      await chooseFile('events.ndjson', text);
      await browser.page.getByLabel('Tenant').fill('pictures');
      await send();
      await said(/^Sent in/);
    }
    expect(await browser.accessibilityProblems()).toEqual([]);
    await browser.keepPicture(`${name}-${colorScheme}`);
    expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
    await browser.keepPicture(`${name}-${colorScheme}-phone`);
  });
});
