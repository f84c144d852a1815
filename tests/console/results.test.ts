/**
 * What a person does with a result: filters, lines around, ranges, live tail, and texts of the sandbox.
 *
 * @slow 60
 */
import { PROJECT } from '../backend/support/sample-service';
import { PROCESS_TOKEN } from '../support/servers/spawned';
import { consoleForTests } from './support/console-page';

const LOGS = `/console/queries/logs.all?p.project=${PROJECT}`;
const sql = (text: string, address = LOGS): string => `${address}&sql=${encodeURIComponent(text)}`;
const lql = (text: string, address = LOGS): string => `${address}&lql=${encodeURIComponent(text)}`;

const browser = consoleForTests();

const button = (name: string | RegExp) => browser.page.getByRole('button', { name, exact: typeof name === 'string' });
const rows = (text: string) => browser.page.getByText(text, { exact: true }).first().waitFor();
const textInAddress = (name: string): string | null => new URL(browser.page.url()).searchParams.get(name);
const valueOf = (name: string) => browser.page.getByRole('group', { name: `Value of ${name}` });

async function openLine(text: RegExp): Promise<void> {
  await browser.page.getByRole('region', { name: 'Log lines' }).getByRole('button', { name: text }).first().click();
}

describe('filter for and filter out', () => {
  test('of a saved query begin a text with its own SELECT', async () => {
    await browser.run(LOGS);
    await openLine(/GET \| 404/);
    await browser.page.getByTitle('What can be done with metadata.response.status_code').click();
    await valueOf('metadata.response.status_code').getByRole('button', { name: 'Filter out' }).click();
    await rows('90 rows');
    expect(textInAddress('sql')).toContain(
      'SELECT e.id, e.timestamp, e.event_message, e.metadata\nFROM edge_logs AS e'
    );
    expect(textInAddress('sql')).toContain('filtered_record_1.status_code = 404');
  });

  test('of LQL add a clause', async () => {
    await browser.run(lql('f:edge_logs'));
    await openLine(/GET \| 404/);
    await browser.page.getByTitle('What can be done with metadata.request.path').click();
    await valueOf('metadata.request.path').getByRole('button', { name: 'Filter for' }).click();
    await rows('30 rows');
    expect(textInAddress('lql')).toBe('f:edge_logs m.request.path:"/auth/v1/token"');
  });

  test('of a counted cell follow the grouping, and keep the LIMIT', async () => {
    const text =
      "select rs.status_code as `it's \\` a`, count(*) as __proto__ from edge_logs as e, e.metadata.response as rs group by 1 order by 2 desc limit 3";
    await browser.run(sql(text));
    const cell = browser.page.getByRole('region', { name: 'Rows' }).locator('tbody td', { hasText: '60' });
    await cell.hover();
    await cell.getByRole('button', { name: 'Filter out' }).click();
    await rows('2 rows');
    expect(textInAddress('sql')).toContain('|> where not coalesce(__proto__ = 60, false)\n|> limit 3');
    await browser.page.getByRole('region', { name: 'Rows' }).locator('tbody td', { hasText: '404' }).hover();
    await valueOf("it's ` a").getByRole('button', { name: 'Filter for' }).click();
    await rows('1 row');
  });

  test('of narrow cells do not cover the cells beside them', async () => {
    await browser.run(sql("select 7 as n, 'ab' as t, true as b, 12 as m, 'cd' as u, 1 as v"));
    const cells = browser.page.getByRole('region', { name: 'Rows' }).locator('tbody tr[data-index] td');
    for (const at of [1, 2, 3, 4, 5, 6]) await cells.nth(at).hover();
    await cells.nth(2).hover();
    await cells.nth(2).getByRole('button', { name: 'What can be done with t' }).click();
    await valueOf('t').getByRole('button', { name: 'Filter out' }).click();
    await browser.page.getByText('The query ran and found no rows.').waitFor();
  });

  test('are not offered to a token without texts of its own', async () => {
    const token = await createToken({ scopes: ['query', 'endpoints:read'], endpoints: '*' });
    await browser.signIn(LOGS, token);
    await button('Run the saved query').click();
    await openLine(/GET \| 404/);
    await browser.page.getByTitle('What can be done with id').first().click();
    await button('Copy').first().waitFor();
    expect(await button('Filter for').count()).toBe(0);
    expect(await button('Lines around').count()).toBe(0);
  });
});

test.each([
  ['lines', 'select id, timestamp, event_message from edge_logs limit 120', '.log-lines li'],
  ['rows', 'select id, event_message as message from edge_logs limit 120', '.grid tr[data-index]'],
])('%s are printed whole, also those that are not in view', async (_, text, row) => {
  await browser.run(sql(`${text}${'\n'.repeat(60)}-- the end`));
  const drawn = browser.page.locator(row);
  await drawn.first().waitFor();
  expect(await drawn.count()).toBeLessThan(120);
  await browser.page.emulateMedia({ media: 'print' });
  await browser.page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
  await drawn.nth(119).waitFor();
  const hidden: number = await browser.page.evaluate(
    "[...document.querySelectorAll('.log-lines, .grid')].reduce((sum, e) => sum + e.scrollHeight - e.clientHeight, 0)"
  );
  expect(hidden).toBe(0);
  const editor = browser.page.locator('.cm-scroller').first();
  expect(
    await editor.evaluate((e: { scrollHeight: number; clientHeight: number }) => e.scrollHeight - e.clientHeight)
  ).toBe(0);
  await browser.page.emulateMedia({ media: 'screen' });
  await browser.page.evaluate("window.dispatchEvent(new Event('afterprint'))");
  await drawn.nth(119).waitFor({ state: 'detached' });
});

test('lines around another line are not those of the one before, while they are loaded', async () => {
  await browser.run(lql('f:edge_logs m.response.status_code:500'));
  await openLine(/GET \| 500/);
  await button('Lines around').first().click();
  const around = browser.page.getByRole('region', { name: 'Lines around', exact: true });
  await around.getByText(/lines? before it/).waitFor();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await browser.page.route('**/api/endpoints/query/*', async (route) => {
    await answered;
    await route.continue();
  });
  const lines = browser.page.getByRole('region', { name: 'Log lines', exact: true });
  await lines
    .getByRole('button', { name: /GET \| 500/ })
    .nth(1)
    .click();
  await lines.getByRole('button', { name: 'Lines around' }).nth(1).click();
  await around.getByText('Loading the lines around').waitFor();
  answer();
  await around.getByText(/lines? before it/).waitFor();
});

test('SQL that comes late does not replace a text that was changed', async () => {
  await browser.signIn(lql('f:edge_logs'));
  await browser.editor().getByText('edge_logs').waitFor();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await browser.page.route('**/api/endpoints/validate', async (route) => {
    await answered;
    await route.continue();
  });
  await button('As SQL').click();
  await browser.editor().click();
  await browser.page.keyboard.press('Control+End');
  await browser.page.keyboard.type(' typed');
  const late = browser.page.waitForResponse('**/api/endpoints/validate');
  answer();
  await late;
  await browser.page.waitForTimeout(500);
  expect(textInAddress('lql')).toBe('f:edge_logs typed');
});

test('lines around a line are those of its time, and there are more', async () => {
  await browser.run(lql('f:edge_logs m.response.status_code:500'));
  await openLine(/GET \| 500/);
  await button('Lines around').first().click();
  const around = browser.page.getByRole('region', { name: 'Lines around', exact: true });
  await around.getByText('20 lines before it').waitFor();
  // The color of a line is not all that says its level.
  await around
    .getByRole('button', { name: /^warning.*GET \| 404/ })
    .first()
    .waitFor();
  await around.getByText('3 lines after it; there are no others').waitFor();
  await around.getByRole('button', { name: 'More lines before' }).click();
  await around.getByText('100 lines before it').waitFor();
  await around.getByRole('button', { name: 'Close' }).click();
  await around.waitFor({ state: 'detached' });
  expect(await browser.page.evaluate('document.activeElement.textContent')).toBe('Lines around');
});

test('a menu closes with Escape, which returns the focus, and when another one opens', async () => {
  await browser.run(sql('select id from edge_logs'));
  const columns = browser.page.locator('summary', { hasText: 'Columns' });
  const stages = browser.page.locator('summary', { hasText: /^ran/ });
  const open = browser.page.locator('.menu[open]');
  await columns.focus();
  await browser.page.keyboard.press('Enter');
  await browser.page.keyboard.press('Tab');
  await browser.page.keyboard.press('Escape');
  expect(await open.count()).toBe(0);
  expect(await browser.page.evaluate('document.activeElement.textContent')).toBe('Columns');
  await columns.click();
  await stages.click();
  await open.filter({ hasText: 'Time of each stage' }).waitFor();
  expect(await open.count()).toBe(1);
});

test('buttons under the editor come with it, and do not move while it is loaded', async () => {
  let letEditorLoad = (): void => undefined;
  const isAwaited = new Promise<void>((resolve) => (letEditorLoad = resolve));
  await browser.signIn('/console/queries');
  await browser.page.route(/\/console\/assets\/sandbox-/, async (route) => {
    await isAwaited;
    await route.continue();
  });
  await browser.page.goto(browser.at(sql('select id\nfrom edge_logs\nlimit 1')));
  await browser.page.getByText('Loading the editor').waitFor();
  expect(await button('Live tail').count()).toBe(0);
  letEditorLoad();
  await button('Run this SQL').waitFor();
  const before = await button('Run this SQL').boundingBox();
  await browser.editor().getByText('edge_logs').waitFor();
  expect(await button('Run this SQL').boundingBox()).toEqual(before);
});

/** Drags over the second half of a histogram, and waits for the time range in the address. */
async function chooseSecondHalf(name: string | RegExp): Promise<void> {
  const image = browser.page.getByRole('img', { name });
  const box = (await image.locator('.u-over').boundingBox())!;
  await browser.page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await browser.page.mouse.down();
  await browser.page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 5 });
  await browser.page.mouse.up();
  await browser.page.waitForURL(/p\.iso_timestamp_start=/);
}

test('a part of the histogram becomes the time range, in the address', async () => {
  await browser.run(`${LOGS}&last=24h`);
  await browser.page.getByText(/^120 events in the time range/).waitFor();
  await chooseSecondHalf(/^Events over time: .*error 30/);
  expect(textInAddress('last')).toBeNull();
  await browser.page.getByText(/^120 events in the time range/).waitFor();
});

test('counts by time and group are a line for each group', async () => {
  await browser.run(lql('f:edge_logs c:count(*) c:group_by(t::5m) c:group_by(m.response.status_code)'));
  await browser.page.getByRole('img', { name: '200, 404, 500 over time; the table has the values' }).waitFor();
});

test('a histogram of events within one second shows that second, not years', async () => {
  const second = Math.floor(Date.now() / 1000 - 60);
  const event = (id: string, ms: number) => ({
    id,
    project: 'one-second',
    timestamp: new Date(second * 1000 + ms).toISOString(),
    event_message: id,
  });
  await browser.service.ingest([event('first', 100), event('second', 200)]);
  await browser.run('/console/queries/logs.all?p.project=one-second');
  await chooseSecondHalf('Events over time: other 2');
  expect(Date.parse(textInAddress('p.iso_timestamp_start')!)).toBe(second * 1000);
  expect(Date.parse(textInAddress('p.iso_timestamp_end')!)).toBe((second + 1) * 1000);
});

test('a span fills the parameters of time with each run, and is in the address', async () => {
  await browser.signIn(LOGS);
  await button('Last 15 min').click();
  await browser.addressHas('last', '15m');
  await button('Run the saved query').click();
  await browser.page.getByRole('region', { name: 'Log lines' }).waitFor();
  const said = await browser.page.getByRole('region', { name: 'Result' }).getByRole('status').first().textContent();
  expect(Number(/^(\d+) rows/.exec(said ?? '')?.[1])).toBeLessThan(50);
  await browser.page.getByRole('tab', { name: 'Call it' }).click();
  await browser.page.locator('pre', { hasText: 'iso_timestamp_start=20' }).first().waitFor();
});

describe('the text', () => {
  test('in LQL is shown as SQL, which gives the same rows', async () => {
    await browser.signIn(lql('f:edge_logs m.response.status_code:500'));
    await button('As SQL').click();
    await button('Run this SQL').click();
    await rows('30 rows');
  });

  test('is laid out, and begins with an example', async () => {
    await browser.signIn(sql("select id,'a  b' from edge_logs where id>'1' and id<'2'"));
    await button('Format').click();
    await browser.addressHas('sql', "select id, 'a  b'\nfrom edge_logs\nwhere id > '1' and id < '2'");
    await browser.page.getByLabel('Insert an example').selectOption({ label: 'Events by status' });
    await button('Run this SQL').click();
    await rows('3 rows');
  });

  test('completes functions with their usage', async () => {
    await browser.signIn(LOGS);
    await browser.editor().click();
    await browser.page.keyboard.type('select countif');
    await browser.page.getByText('COUNTIF([DISTINCT] condition)').waitFor();
  });

  test('is saved by a token that may write', async () => {
    await browser.signIn(sql('select 1 as one'));
    const link = await browser.page.getByRole('link', { name: 'Save as …' }).getAttribute('href');
    expect(link).toBe('/console/new?sql=select+1+as+one&from=logs.all');
    const token = await createToken({ scopes: ['query', 'adhoc', 'endpoints:read'], endpoints: '*' });
    await browser.open();
    await browser.signIn(sql('select 1 as one'), token);
    await button('Format').waitFor();
    expect(await browser.page.getByRole('link', { name: 'Save as …' }).count()).toBe(0);
  });
});

describe('a live tail', () => {
  const TAIL = '/console/queries/logs.all?p.project=tail';
  let sent = 0;
  /** Events of one time. */
  const send = (count: number, at = new Date().toISOString()): Promise<void> =>
    browser.service.ingest(
      Array.from({ length: count }, () => {
        sent += 1;
        return { id: `tail-${sent}`, project: 'tail', timestamp: at, event_message: `tail line ${sent}` };
      })
    );
  const counted = (text: string) =>
    browser.page.getByRole('region', { name: 'Live tail' }).getByText(text, { exact: true }).waitFor();
  const start = async (address: string, token?: string): Promise<void> => {
    await browser.signIn(address, token);
    await button('Live tail').click();
    await browser.page.getByText('live', { exact: true }).waitFor();
  };

  test('shows each line once, pauses, and goes on where it was', async () => {
    await start(TAIL);
    await send(3);
    await counted('3 lines');
    const at = new Date().toISOString();
    await send(2, at);
    await counted('5 lines');
    await send(2, at);
    await counted('7 lines');
    await button('Pause').click();
    await send(4);
    await browser.page.waitForTimeout(2500);
    await counted('7 lines');
    await button('Continue').click();
    await counted('11 lines');
    expect(await browser.page.getByRole('button', { name: /tail line/ }).count()).toBe(11);
    expect(await browser.accessibilityProblems()).toEqual([]);
    await browser.keepPicture('live-tail');
    await button('Stop').click();
    await browser.page.getByRole('region', { name: 'Live tail' }).waitFor({ state: 'detached' });
  });

  test('goes on while a person types, until the new text is followed', async () => {
    await start(sql("select id, timestamp, event_message from edge_logs where event_message like '%typed%'", TAIL));
    const typed = (id: string) => ({
      id,
      project: 'tail',
      timestamp: new Date().toISOString(),
      event_message: 'typed',
    });
    await browser.service.ingest([typed('typed-1')]);
    await counted('1 line');
    expect(await button('Live tail').count()).toBe(0);
    await browser.editor().click();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.type(' and');
    await counted('1 line');
    await browser.service.ingest([typed('typed-2')]);
    await counted('2 lines');
    await browser.page.keyboard.type(' true');
    await button('Live tail').click();
    await browser.page.getByText('live', { exact: true }).waitFor();
  });

  test('that is cleared shows new lines, also to a reader who had scrolled away', async () => {
    await start(TAIL);
    await send(80);
    await browser.page.getByText(/^(?:[89]\d|1\d\d) lines$/).waitFor();
    await browser.page
      .getByRole('region', { name: 'Log lines' })
      .evaluate((lines) => void Object.assign(lines, { scrollTop: 400 }));
    await browser.page.waitForTimeout(100);
    await button('Clear').click();
    await send(1);
    await browser.page.getByRole('button', { name: `tail line ${sent}` }).waitFor();
    expect(await browser.page.getByRole('button', { name: /tail line/ }).count()).toBe(1);
  });

  test('follows LQL, and the saved query of a token without texts', async () => {
    await start(lql('f:edge_logs "special"', TAIL));
    await send(1);
    const special = { project: 'tail', timestamp: new Date().toISOString(), event_message: 'a special line' };
    await browser.service.ingest([special]);
    await counted('1 line');
    await browser.open();
    await start(TAIL, await createToken({ scopes: ['query', 'endpoints:read'], endpoints: '*' }));
    await send(2);
    await browser.page.getByRole('button', { name: `tail line ${sent}` }).waitFor();
  });

  test('of a text that is refused ends, and says why', async () => {
    await browser.signIn(sql('select id, timestamp, event_message, nothing from edge_logs', TAIL));
    await button('Live tail').click();
    await browser.page.getByText('ended', { exact: true }).waitFor();
    await browser.page
      .getByRole('alert')
      .getByText(/nothing/)
      .first()
      .waitFor();
  });

  test('that cannot reach the service tries again, and loses nothing', async () => {
    await start(TAIL);
    await send(1);
    await browser.page.getByRole('button', { name: `tail line ${sent}` }).waitFor();
    await browser.context.setOffline(true);
    await browser.page.getByText('trying again', { exact: true }).waitFor();
    await send(3);
    await browser.context.setOffline(false);
    await browser.page.getByText('live', { exact: true }).waitFor();
    for (let n = sent - 3; n <= sent; n++) {
      await browser.page
        .getByRole('button', { name: `tail line ${n}`, exact: false })
        .first()
        .waitFor();
    }
  });

  test('ends with its token', async () => {
    const { id, token } = await createTokenEntry({ scopes: ['query', 'adhoc', 'endpoints:read'], endpoints: '*' });
    await start(TAIL, token);
    await api('DELETE', `/api/tokens/${id}`);
    await browser.page.getByText('The service does not accept this token').waitFor();
  });
});

describe('what a page must withstand', () => {
  test('a row of a megabyte, with HTML and characters that are not seen', async () => {
    await browser.service.ingest([
      {
        id: 'large',
        project: 'large',
        timestamp: new Date().toISOString(),
        event_message: `<b>\u001b[31m\u202Ereversed ${'x'.repeat(400_000)}`,
        metadata: { text: 'y'.repeat(400_000), list: Array.from({ length: 3000 }, (_, n) => ({ n })) },
      },
    ]);
    await browser.run('/console/queries/logs.all?p.project=large');
    await openLine(/reversed/);
    await button('Show all 400,000 characters').waitFor();
    await button('2,900 more').waitFor();
    expect(await browser.page.locator('.result b').count()).toBe(0);
    await browser.page.getByTitle('What can be done with id').click();
    await valueOf('id').getByRole('button', { name: 'Filter for' }).click();
    await rows('1 row');
  });

  test.each([
    ['it\'s \\ `a` "b"', '1'],
    ['two\nlines', '2'],
    ['\u202Eltr\u0007', '3'],
  ])('a value %j in a filter finds its own row', async (message, id) => {
    await browser.service.ingest([
      { id, project: `odd${id}`, timestamp: new Date().toISOString(), event_message: message },
      { id: 'other', project: `odd${id}`, timestamp: new Date().toISOString(), event_message: 'other' },
    ]);
    await browser.run(`/console/queries/logs.all?p.project=odd${id}`);
    await browser.page
      .getByRole('region', { name: 'Log lines' })
      .locator('li[data-index] > button', { hasNotText: 'other' })
      .click();
    await browser.page.getByTitle('What can be done with event_message').click();
    await valueOf('event_message').getByRole('button', { name: 'Filter for' }).click();
    await rows('1 row');
    expect(await browser.page.getByRole('alert').count()).toBe(0);
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each([
    ['an opened line and the lines around it', `${LOGS}&last=24h`],
    [
      'an opened row',
      sql('select rs.status_code, count(*) as n from edge_logs as e, e.metadata.response as rs group by 1'),
    ],
  ])('%s: nothing that axe finds, and nothing wider than a phone', async (name, address) => {
    await browser.open({ colorScheme });
    await browser.run(address);
    if (address.includes('sql=')) {
      await button('Row 1').click();
    } else {
      await openLine(/GET \| 404/);
      await button('Lines around').click();
      await browser.page.getByText('20 lines before it').waitFor();
    }
    await browser.page
      .getByTitle(/^What can be done with/)
      .first()
      .click();
    await browser.page.locator('summary', { hasText: /^ran/ }).click();
    expect(await browser.accessibilityProblems()).toEqual([]);
    await browser.keepPicture(`${name}-${colorScheme}`);
    expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
  });
});

async function api(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(browser.at(path), {
    method,
    headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.status === 204 ? null : ((await answer.json()) as { result: unknown }).result;
}

function createTokenEntry(rights: object): Promise<{ readonly id: string; readonly token: string }> {
  return api('POST', '/api/tokens', { name: 'limited', ...rights }) as Promise<{ id: string; token: string }>;
}

async function createToken(rights: object): Promise<string> {
  return (await createTokenEntry(rights)).token;
}
