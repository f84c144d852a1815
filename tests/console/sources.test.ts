/**
 * Sources are created, seen, changed and deleted in the console, in a real browser with a real service.
 *
 * @slow 60
 */
import { isKeyOf } from '#contract/records';
import { buttonOf, HTML, managementForTests } from './support/management';

const browser = managementForTests();
const button = (name: string | RegExp) => buttonOf(browser, name);
const link = (name: string) => browser.page.getByRole('link', { name, exact: true });
const field = (name: string) => browser.page.getByLabel(name, { exact: true });
const heading = (name: string): Promise<void> =>
  browser.page.getByRole('heading', { level: 1, name: new RegExp(` ${name}$`) }).waitFor();
const create = (definition: object): Promise<unknown> =>
  browser.ask('POST', '/api/sources', { definition, message: HTML });
const read = async (name: string): Promise<Record<string, unknown>> =>
  (await browser.ask<{ result: Record<string, unknown> }>('GET', `/api/sources/${name}`)).result;
const change = (name: string, patch: object): Promise<unknown> =>
  browser.ask('PATCH', `/api/sources/${name}`, { definition: patch, message: 'by another' }, { 'If-Match': '*' });
const fact = async (name: string): Promise<string> =>
  browser.page
    .locator('dl.facts-list > div')
    .filter({ has: browser.page.getByText(name, { exact: true }) })
    .locator('dd')
    .innerText();

describe('a source', () => {
  test('is created with its name alone, takes an event, and is read by a saved query', async () => {
    const { page } = browser;
    await browser.signIn('/console/sources');
    await link('New source').click();
    await heading('New source');
    await field('Name').fill('My Shop');
    await page.getByText('did you mean "my_shop"?').waitFor();
    await field('Name').fill('edge_requests');
    await page.getByText('The name "edge_requests" is in use.').waitFor();
    await field('Name').fill('shop');
    await button('Create the source').click();
    await heading('shop');
    expect(await read('shop')).toMatchObject({ retention_days: 90, tenant: null, columns: {}, revision: 1 });

    await page.getByRole('region', { name: 'Next steps' }).getByRole('link', { name: 'Set up a log shipper' }).click();
    expect(await field('Source').inputValue()).toBe('shop');
    await page.goBack();
    await page
      .getByRole('region', { name: 'Next steps' })
      .getByRole('link', { name: 'paste events or drop a file' })
      .click();
    await field('Events').fill('{"message":"payment failed","level":"error","ms":912.5,"a\u202eb":1}');
    await button('Send to shop').click();
    await page.getByText(/^Sent in/).waitFor();
    await page.getByRole('tab', { name: 'Sources' }).click();
    await link('shop').click();
    await heading('shop');
    await page.getByText('ms', { exact: true }).waitFor();
    // A character that would reverse what follows it is shown as a dot.
    await page.locator('.columns .reversing').waitFor();
    expect([await fact('Events'), await page.getByRole('region', { name: 'Next steps' }).count()]).toEqual(['1', 0]);

    await link('New saved query').click();
    await button('Create').click();
    await page.getByRole('heading', { name: 'shop.newest' }).waitFor();
    await page.getByRole('button', { name: /^Run / }).click();
    await page.getByText('payment failed').first().waitFor();
  });

  test('is changed, with what the change does to stored events, and shows who changed it', async () => {
    const { page } = browser;
    await create({ name: 'kept', columns: { code: 'STRING' }, aliases: ['kept.old'] });
    const old = new Date(Date.now() - 20 * 86_400_000).toISOString();
    await browser.ask('POST', '/api/logs?source=kept', [{ message: 'old', timestamp: old, code: 'a' }]);
    await browser.signIn('/console/sources/kept');
    await page.getByText(HTML).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await link('Edit').click();
    expect(await button('Save the changes').isDisabled()).toBe(true);
    await field('Kept for (days)').fill('7');
    await page.getByText(/^Events older than 7 days will be deleted, .* The oldest is of /).waitFor();
    await field('Kept for (days)').fill('30');
    await page.getByText('At present, no event is older.').waitFor();
    await page.getByLabel('An own column names the tenant').check();
    await page.getByText(/^Stored events that have no value there/).waitFor();
    await button('Add a field').click();
    await page.keyboard.type('request.path');
    await page.getByLabel('Type of field request.path').selectOption('ARRAY<STRING>');
    await field('Note').fill('for the teams');
    // A mistake is at its field, and the keyboard is there.
    await field('Kept for (days)').fill('4000');
    await button('Save the changes').click();
    await page.locator('.field .wrong').getByText('Must be at most 3650.').waitFor();
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Kept for (days)');
    await field('Kept for (days)').fill('30');
    await button('Save the changes').click();
    await heading('kept');
    expect(await read('kept')).toMatchObject({
      retention_days: 30,
      tenant: 'project',
      columns: { code: 'STRING', project: 'STRING' },
      fields: { 'request.path': 'ARRAY<STRING>' },
      aliases: ['kept.old'],
    });
    expect([await fact('Kept for'), await fact('Tenant'), await fact('Revision'), await fact('Note')]).toEqual([
      '30 days',
      'in project',
      '2',
      'for the teams',
    ]);
    expect(await fact('Last change')).toContain('by bootstrap');
    await browser.page.goto(browser.at('/console/audit?action=source.update'));
    await page.locator('.trail').getByRole('link', { name: 'kept', exact: true }).first().click();
    await page.getByRole('region', { name: 'Changes from revision 1 to 2' }).getByText('request.path').waitFor();
  });

  test('that another person has changed meanwhile is merged, column by column', async () => {
    const { page } = browser;
    await create({ name: 'both', columns: { a: 'STRING' } });
    await browser.signIn('/console/sources/both/edit');
    await field('Description').fill('Mine');
    await button('Add a column').click();
    await page.keyboard.type('mine');
    await change('both', { description: 'Theirs', columns: { theirs: 'INT64' } });
    await button('Save the changes').click();
    const conflict = page.getByRole('region', { name: 'Conflict' });
    await conflict.getByText('by another').waitFor();
    expect(await conflict.locator('legend').allInnerTexts()).toEqual([
      'description both changed it',
      'columns.mine only you changed it',
      'columns.theirs only they changed it',
    ]);
    expect(await browser.accessibilityProblems()).toEqual([]);
    await conflict.getByLabel('Take mine').check();
    await button('Use this merge').click();
    await button('Save the changes').click();
    await heading('both');
    expect(await read('both')).toMatchObject({
      revision: 3,
      description: 'Mine',
      columns: { a: 'STRING', theirs: 'INT64', mine: 'STRING' },
    });
  });

  test('that a saved query reads stays, with a link to the query; another is deleted and created again', async () => {
    const { page } = browser;
    await create({ name: 'read' });
    await browser.ask('POST', '/api/endpoints', {
      definition: { name: 'read.all', query: 'select t.id from `read` as t' },
    });
    await browser.signIn('/console/sources/read');
    await button('Delete').click();
    await button('Delete read').click();
    const dialog = page.getByRole('dialog', { name: 'Delete the source read?' });
    await dialog.getByText('source_in_use').waitFor();
    expect(await browser.accessibilityProblems()).toEqual([]);
    await dialog.getByRole('link', { name: 'read.all' }).click();
    await page.getByRole('heading', { name: 'read.all' }).waitFor();

    await create({ name: 'erased' });
    await browser.ask('POST', '/api/logs?source=erased', [{ message: 'private' }]);
    await page.goto(browser.at('/console/sources/erased'));
    await button('Delete').click();
    await page.getByRole('dialog').getByRole('checkbox').check();
    expect(await button('Delete erased').isDisabled()).toBe(true);
    await page.getByLabel('Type the name of the source').fill('erased');
    expect(await browser.accessibilityProblems()).toEqual([]);
    await button('Delete erased').click();
    await page.getByRole('region', { name: 'Sources' }).waitFor();
    await create({ name: 'erased' });
    await page.goto(browser.at('/console/sources/erased'));
    await page.getByText('No events have arrived yet').waitFor();

    await create({ name: 'ended' });
    await browser.ask('POST', '/api/logs?source=ended', [{ message: 'before' }]);
    await page.goto(browser.at('/console/sources/ended'));
    await button('Delete').click();
    await page.getByText('(1 at present)').waitFor();
    await page.getByRole('dialog').getByLabel('Note').fill('of März');
    await button('Delete ended').click();
    await page.getByRole('region', { name: 'Sources' }).waitFor();
    expect(await link('ended').count()).toBe(0);
    await link('Deleted sources').click();
    await page.getByText('“of März”').waitFor();
    await page.locator('.trail').getByRole('link', { name: 'ended', exact: true }).click();
    await page.getByText(/deleted this source/).waitFor();
    await link('Revision 1').click();
    await button('Restore revision 1').click();
    await link('Revision 3, the newest').waitFor();
    await link('ended').click();
    await heading('ended');
    expect([await fact('Events'), await fact('Revision')]).toEqual(['1', '3']);
    await button('Delete').click();
    await button('Delete ended').click();
    await page.getByRole('region', { name: 'Sources' }).waitFor();
    await page.goto(browser.at('/console/sources/ended'));
    await page.getByText('source_not_found').waitFor();
    expect(await link('history').getAttribute('href')).toBe('/console/sources/ended/history');
    await link('create it').click();
    expect(await field('Name').inputValue()).toBe('ended');
    await button('Create the source').click();
    await heading('ended');
    expect([await fact('Events'), await fact('Revision')]).toEqual(['1', '5']);
  });

  test('of a file has no buttons that would change it, and says where to do that', async () => {
    await browser.signIn('/console/sources/edge_requests');
    await browser.page.getByText('This source is declared in a file').waitFor();
    expect([await link('Edit').count(), await button('Delete').count()]).toEqual([0, 0]);
    await browser.page.goto(browser.at('/console/sources/edge_requests/edit'));
    await browser.page.getByText('This source is declared in a file').waitFor();
    expect(await button('Save the changes').count()).toBe(0);
  });

  test('is shown by an alias, and without its figures while these cannot be read', async () => {
    await create({ name: 'known', aliases: ['known.too'], description: 'Known by two names' });
    await browser.signIn('/console/sources?view=send');
    await browser.page.getByRole('link', { name: 'New source' }).waitFor();
    await browser.page.route('**/api/sources', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'backend_unavailable', message: 'Not now.' } } })
    );
    await browser.page.goto(browser.at('/console/sources/known.too'));
    await heading('known');
    await browser.page.getByText('Known by two names', { exact: true }).waitFor();
    await browser.page.getByText('Not now.').waitFor();
    await link('Edit').click();
    await field('Description').fill('Changed');
    await button('Save the changes').click();
    await browser.page.getByText('Changed', { exact: true }).waitFor();
    browser.forgetProblems(/503/);
  });

  test('is read only for tokens without the scope, and one with the scope alone may do all of it', async () => {
    const { token: reader } = await browser.token({ name: 'reader', scopes: ['endpoints:read'] });
    await create({ name: 'shown' });
    await browser.signIn('/console/sources', reader);
    await link('shown').click();
    await heading('shown');
    expect([await link('Edit').count(), await button('Delete').count()]).toEqual([0, 0]);
    await browser.page.goto(browser.at('/console/new-source'));
    await browser.page.getByText('This token may not create sources (scope sources:write).').waitFor();
    const { token: maker } = await browser.token({ name: 'maker', scopes: ['sources:write'] });
    await browser.open();
    await browser.signIn('/console/sources', maker);
    await link('New source').click();
    await field('Name').fill('made');
    await browser.page.keyboard.press('Enter');
    await heading('made');
    await link('Edit').click();
    await heading('Edit');
  });

  test('that was typed is asked about before the page is left, and survives a reload', async () => {
    const { page } = browser;
    await browser.signIn('/console/new-source');
    await field('Name').fill('typed');
    await page.getByText('More: retention').click();
    await field('Kept for (days)').fill('3');
    await link('Status').click();
    await page.getByRole('dialog', { name: 'Leave this page?' }).waitFor();
    await button('Stay on this page').click();
    await page.reload();
    await page.getByText('This tab has kept what you typed.').waitFor();
    await button('Create the source').click();
    await heading('typed');
    expect(await read('typed')).toMatchObject({ retention_days: 3 });
    await page.goto(browser.at('/console/new-source'));
    await heading('New source');
    expect(await field('Name').inputValue()).toBe('');
  });
});

test('a preset gives the token of an operator every scope', async () => {
  await browser.signIn('/console/tokens/new');
  await button('An operator').click();
  await browser.page.locator('.scopes').getByRole('status').getByText('create, change and delete sources').waitFor();
  expect(await browser.page.locator('.scopes input:not(:checked)').count()).toBe(0);
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each(['new-source', 'edit-source', 'source', 'delete-source', 'source-history'])(
    '%s: nothing that axe finds, and nothing wider than a phone',
    async (picture) => {
      const name = `looked_${colorScheme}`;
      await browser.ask(
        'PUT',
        `/api/sources/${name}`,
        {
          definition: {
            description: 'Logs of the shop',
            aliases: [`the.shop.${colorScheme}`],
            tenant: 'project',
            columns: { project: 'STRING', status_code: 'INT64' },
            fields: { 'request.path': 'STRING', [`request.${'long_'.repeat(12)}`]: 'ARRAY<STRING>' },
          },
          message: 'a note',
        },
        (await browser.ask('GET', `/api/sources/${name}`).then(
          () => true,
          () => false
        ))
          ? { 'If-Match': '*' }
          : { 'If-None-Match': '*' }
      );
      await browser.ask('POST', `/api/logs?source=${name}`, [
        { message: 'x', project: 'red', status_code: 200, request: { path: '/pay' }, level: 'info' },
      ]);
      await browser.open({ colorScheme });
      const page = `/console/sources/${name}`;
      const address = {
        'new-source': '/console/new-source',
        'edit-source': `${page}/edit`,
        'source-history': `${page}/history?revision=1&with=none`,
      };
      await browser.signIn(isKeyOf(address, picture) ? address[picture] : page);
      await browser.page.locator('form, .facts-list, .revision pre').first().waitFor();
      if (picture === 'new-source') {
        await field('Name').fill('Not a name');
        await browser.page.getByText('More: retention').click();
        await browser.page.getByLabel('A field of the metadata names the tenant').check();
        await button('Add a column').click();
        await browser.page.keyboard.type('a b');
      }
      if (picture === 'delete-source') await button('Delete').click();
      expect(await browser.accessibilityProblems()).toEqual([]);
      await browser.keepPicture(`${picture}-${colorScheme}`);
      expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
      await browser.keepPicture(`${picture}-phone-${colorScheme}`);
    }
  );
});
