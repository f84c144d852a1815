/**
 * Access tokens in a real browser, with a real service behind it.
 *
 * @slow 50
 */
import type { DescribedToken } from '#contract/tokens/token';
import { buttonOf, HTML, managementForTests } from './support/management';

const browser = managementForTests();
const button = (name: string | RegExp) => buttonOf(browser, name);
const tokens = async (): Promise<readonly DescribedToken[]> =>
  (await browser.ask<{ result: DescribedToken[] }>('GET', '/api/tokens?limit=100')).result;

describe('tokens', () => {
  test('are created with what they may do in words, and their text is shown once', async () => {
    await browser.signIn('/console/tokens');
    await browser.page.getByRole('link', { name: 'New token' }).click();
    await browser.page.getByLabel('Name', { exact: true }).fill(HTML);
    await button('A log shipper').click();
    await browser.page.getByText('It may send log events.').waitFor();
    await browser.page.getByLabel('Requests a minute').fill('many');
    await button('Create the token').click();
    await browser.page.locator('.field', { hasText: 'Requests a minute' }).locator('.wrong').waitFor();
    await browser.page.getByLabel('Requests a minute').fill('500');
    await button('Create the token').click();
    const secret = browser.page.getByRole('region', { name: 'Text of the token' });
    const text = (await secret.locator('pre').textContent()) ?? '';
    expect(text).toMatch(/^lqe_/);
    expect((await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': text } })).status).toBe(200);
    const kept = await browser.page.evaluate<string>(
      'JSON.stringify([{ ...sessionStorage }, location.href, history.state])'
    );
    expect(kept).not.toContain(text);
    await browser.page.getByRole('link', { name: 'Status' }).click();
    await browser.page.getByRole('dialog').getByText('is shown once').waitFor();
    await button('Stay on this page').click();
    await button('I have stored it').click();
    await browser.page.getByRole('heading', { name: HTML }).waitFor();
    expect(await browser.page.getByText(text).count()).toBe(0);
    expect(await browser.page.locator('main img').count()).toBe(0);
  });

  test('a dialog stays open when the token that was saved before it is read late', async () => {
    const { id } = await browser.token({ name: 'slow', scopes: ['query'] });
    await browser.signIn(`/console/tokens/${id}`);
    await browser.page.getByLabel('Rows at most').fill('12');
    let answer: (() => void) | undefined;
    const isHeld = new Promise<void>((resolve) => {
      void browser.page.route(`**/api/tokens/${id}`, async (route) => {
        if (route.request().method() !== 'GET') return route.continue();
        await new Promise<void>((release) => {
          answer = release;
          resolve();
        });
        return route.continue();
      });
    });
    await button('Save the changes').click();
    await isHeld;
    await button('Rotate: a new text').click();
    const isRead = browser.page.waitForResponse(`**/api/tokens/${id}`);
    answer!();
    await isRead;
    await browser.page.getByRole('dialog').waitFor();
    await browser.page.waitForTimeout(200);
    expect(await browser.page.getByRole('dialog').count()).toBe(1);
    await browser.page.unroute(`**/api/tokens/${id}`);
    await browser.page.keyboard.press('Escape');
    expect(await browser.page.getByLabel('Rows at most').inputValue()).toBe('12');
  });

  test('are changed, rotated and revoked', async () => {
    const { id, token } = await browser.token({
      name: 'changing',
      scopes: ['query'],
      fixed_parameters: { region: 'eu' },
    });
    await browser.signIn(`/console/tokens/${id}`);
    await browser.page.getByLabel('Rows at most').fill('12');
    await browser.page.getByLabel('Fixed parameters').fill('project=abcd');
    await button('Save the changes').click();
    const focused = browser.page.locator(':focus');
    await focused.and(browser.page.getByText('The changes are saved.')).waitFor();
    expect((await tokens()).find((each) => each.id === id)).toMatchObject({
      max_rows: 12,
      fixed_parameters: { project: 'abcd' },
    });
    await button('Rotate: a new text').click();
    await browser.page.getByLabel('The old text').selectOption({ label: 'ends at once' });
    await button('Rotate').click();
    await focused.and(browser.page.getByRole('region', { name: 'Text of the token' })).waitFor();
    const text = (await browser.page.locator('.secret pre').textContent()) ?? '';
    expect((await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': token } })).status).toBe(401);
    expect((await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': text } })).status).toBe(200);
    await button('I have stored it').click();
    await button('Revoke').click();
    await browser.page.keyboard.press('Escape');
    await button('Revoke').click();
    await button('Revoke the token').click();
    await button('Revoke').waitFor({ state: 'detached' });
    await focused.and(browser.page.getByText('The token is revoked.')).waitFor();
    expect((await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': text } })).status).toBe(401);
  });

  test('cannot be given more than the token of the page has', async () => {
    const scopes = ['tokens:admin', 'query', 'endpoints:read'];
    const { token } = await browser.token({ name: 'small admin', scopes, tenant: 'abcd', max_rows: 5 });
    await browser.signIn('/console/tokens/new', token);
    await browser.page.getByLabel('Name', { exact: true }).fill('too much');
    expect(await browser.page.getByText('send log events').count()).toBe(0);
    expect(await browser.page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    await button('Create the token').click();
    await browser.page.getByText('token_exceeded').waitFor();
    await browser.page.goto(browser.at('/console/audit'));
    await browser.page.getByText('tenant_denied').waitFor();
  });

  test('are not for tokens without tokens:admin', async () => {
    const { id, token } = await browser.token({ name: 'reader', scopes: ['query', 'endpoints:read'] });
    for (const path of ['/console/tokens', '/console/tokens/new', `/console/tokens/${id}`, '/console/audit']) {
      await browser.signIn(path, token);
      await browser.page.getByText(/This token may not/).waitFor();
      expect(await browser.page.getByRole('link', { name: 'Tokens', exact: true }).count()).toBe(
        path.endsWith(id) || path.endsWith('new') ? 1 : 0
      );
    }
  });

  test('are found by a word among 1,000', async () => {
    for (let n = 0; n < 1000; n += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, k) => browser.token({ name: `many:${n + k}.`, scopes: ['query'] }))
      );
    await browser.signIn('/console/tokens');
    await browser.page
      .getByRole('status')
      .filter({ hasText: /1,0\d\d tokens/ })
      .waitFor();
    // A word that no random id contains.
    await browser.page.getByLabel('Search').fill('many:777.');
    await browser.page.getByText('1 token', { exact: true }).waitFor();
    await browser.addressHas('text', 'many:777.');
  });
});
