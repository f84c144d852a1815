/**
 * Pages of history, tokens and audit trail in both themes and as wide as a phone.
 *
 * @slow 60
 */
import { PROCESS_TOKEN } from '../support/servers/spawned';
import { buttonOf, createRevised, historyPage, managementForTests } from './support/management';

const browser = managementForTests();
const button = (name: string | RegExp) => buttonOf(browser, name);
const create = (): Promise<string> => createRevised(browser);

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each(['history', 'tokens', 'new-token', 'token', 'audit'])(
    '%s: nothing that axe finds, and nothing wider than a phone',
    async (picture) => {
      const name = await create();
      const { id } = await browser.token({
        name: 'dashboard of the shop',
        scopes: ['query', 'adhoc'],
        tenant: 'abcd',
        expires_at: '90d',
      });
      const address = {
        history: `${historyPage(name)}?revision=1`,
        tokens: '/console/tokens',
        'new-token': '/console/tokens/new',
        token: `/console/tokens/${id}`,
        audit: '/console/audit',
      }[picture]!;
      await browser.open({ colorScheme });
      await browser.signIn(address, PROCESS_TOKEN);
      await browser.page.getByRole('heading', { level: 1 }).waitFor();
      await browser.page.locator('.diff, .list tbody tr, .scopes, .trail li').first().waitFor();
      expect(await browser.accessibilityProblems()).toEqual([]);
      await browser.keepPicture(`${picture}-${colorScheme}`);
      expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
      await browser.keepPicture(`${picture}-phone-${colorScheme}`);
    }
  );

  test.each(['secret', 'revoke', 'delete'])(
    '%s: nothing that axe finds, and nothing wider than a phone',
    async (state) => {
      const name = await create();
      const { id } = await browser.token({ name: `rotated ${'x'.repeat(60)}`, scopes: ['query'] });
      await browser.open({ colorScheme });
      await browser.signIn(state === 'delete' ? historyPage(name) : `/console/tokens/${id}`);
      if (state === 'delete') await browser.page.getByText('Delete this saved query').click();
      else await button(state === 'revoke' ? 'Revoke' : 'Rotate: a new text').click();
      if (state === 'secret') {
        await button('Rotate').click();
        await browser.page.getByRole('region', { name: 'Text of the token' }).waitFor();
      }
      expect(await browser.accessibilityProblems()).toEqual([]);
      await browser.keepPicture(`${state}-${colorScheme}`);
      expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
      await browser.keepPicture(`${state}-phone-${colorScheme}`);
    }
  );
});
