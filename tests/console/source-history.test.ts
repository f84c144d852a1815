/**
 * The history of a source in the console, in a real browser with a real service: what a restoration deletes, and what
 * forbids it.
 *
 * @slow 30
 */
import { buttonOf, HTML, managementForTests } from './support/management';

const browser = managementForTests();
const button = (name: string | RegExp) => buttonOf(browser, name);
const link = (name: string) => browser.page.getByRole('link', { name, exact: true });
const create = (definition: object): Promise<unknown> =>
  browser.ask('POST', '/api/sources', { definition, message: HTML });
const read = async (name: string): Promise<Record<string, unknown>> =>
  (await browser.ask<{ result: Record<string, unknown> }>('GET', `/api/sources/${name}`)).result;
const change = (name: string, patch: object): Promise<unknown> =>
  browser.ask('PATCH', `/api/sources/${name}`, { definition: patch, message: 'by another' }, { 'If-Match': '*' });

test('the history of a source says what a restoration would delete, and restores', async () => {
  const { page } = browser;
  await create({ name: 'undone', retention_days: 7, tenant: 'team', columns: { team: 'STRING' } });
  await change('undone', { retention_days: 30, tenant: null });
  const old = new Date(Date.now() - 20 * 86_400_000).toISOString();
  await browser.ask('POST', '/api/logs?source=undone', [{ message: 'old', timestamp: old }]);
  await browser.signIn('/console/sources/undone');
  await link('History').click();
  await link('Revision 1').click();
  await page.getByText(/^Events older than 7 days will be deleted, .* The oldest is of /).waitFor();
  await page.getByText(/^Stored events that have no value there/).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  expect(await browser.accessibilityProblems()).toEqual([]);
  await page.locator('.revision').getByLabel('Note').fill('back');
  await button('Restore revision 1').click();
  await link('Revision 3, the newest').waitFor();
  expect(await read('undone')).toMatchObject({ revision: 3, retention_days: 7, tenant: 'team' });
  await browser.ask('POST', '/api/endpoints', {
    definition: { name: 'undone.teams', query: 'select t.team from undone as t' },
  });
  await change('undone', { columns: { other: 'STRING' } });
  await browser.ask(
    'PATCH',
    '/api/endpoints/undone.teams',
    { query: 'select t.other from undone as t' },
    { 'If-Match': '*' }
  );
  await page.goto(browser.at('/console/sources/undone/history?revision=1'));
  await button('Restore revision 1').click();
  await page.getByText('source_in_use').waitFor();
  await link('undone.teams').waitFor();
  const { token: reader } = await browser.token({ name: 'reader', scopes: ['endpoints:read'] });
  await browser.open();
  await browser.signIn('/console/sources/undone/history?revision=1', reader);
  await browser.page.getByRole('region', { name: /^Changes from/ }).waitFor();
  expect(await button(/^Restore/).count()).toBe(0);
});
