/**
 * What only a real Grafana can show: settings page, panel editor, Explore, dashboards and alert rules of the stack in
 * docker-compose.yml.
 */
import { expect, test } from '@grafana/plugin-e2e';

const SOURCE_FILE = 'log-query-endpoints.yaml';
const PROJECT = 'acornharvestplatform';

test('"Save & test" lists the endpoints, and a wrong token is reported', async ({
  createDataSourceConfigPage,
  readProvisionedDataSource,
  page,
}) => {
  const { type } = await readProvisionedDataSource({ fileName: SOURCE_FILE });
  const configPage = await createDataSourceConfigPage({ type });
  await page.getByLabel('URL').fill('http://server:8080');
  await page.getByLabel('Access token').fill('not-a-token');
  await expect(configPage.saveAndTest()).not.toBeOK();
  await expect(configPage).toHaveAlert('error', { hasText: 'access token' });
});

test('the provisioned data source is healthy', async ({ gotoDataSourceConfigPage, readProvisionedDataSource }) => {
  const { uid } = await readProvisionedDataSource({ fileName: SOURCE_FILE });
  const configPage = await gotoDataSourceConfigPage(uid);
  await expect(configPage.saveAndTest()).toBeOK();
});

test('a panel runs a saved query', async ({ panelEditPage, readProvisionedDataSource, page }) => {
  const { name } = await readProvisionedDataSource({ fileName: SOURCE_FILE });
  await panelEditPage.datasource.set(name);
  await panelEditPage.setVisualization('Table');
  await page.getByLabel('Endpoint').fill('usage.api-counts');
  await page.keyboard.press('Enter');
  await page.getByLabel('interval *').fill('hourly');
  await page.keyboard.press('Enter');
  await page.getByLabel('project *').fill(PROJECT);
  await expect(panelEditPage.refreshPanel()).toBeOK();
  await expect(panelEditPage.panel.fieldNames).toContainText(['Rest']);
});

test('Explore shows log lines with their volume', async ({ explorePage, readProvisionedDataSource, page }) => {
  const { name } = await readProvisionedDataSource({ fileName: SOURCE_FILE });
  await explorePage.datasource.set(name);
  await page.getByLabel('project *').fill(PROJECT);
  await expect(explorePage.runQuery()).toBeOK();
  await expect(page.getByText(/^(GET|POST|PATCH|DELETE) \| \d{3} \|/).first()).toBeVisible();
});

for (const [uid, title] of [
  ['lqe-api-usage', 'Requests by API area'],
  ['lqe-logs-explorer', 'Lines by level'],
  ['lqe-errors-latency', 'Error rate'],
  ['lqe-database', 'Lines by severity'],
  ['lqe-functions', 'Calls by status class'],
  ['lqe-service-health', 'Responses by status'],
] as const) {
  test(`the dashboard ${uid} has data`, async ({ gotoDashboardPage }) => {
    const dashboard = await gotoDashboardPage({ uid });
    const panel = dashboard.getPanelByTitle(title);
    await expect(panel.locator).toBeVisible();
    await expect(panel.getErrorIcon()).toBeHidden();
  });
}

test('the provisioned alert rules are evaluated without an error', async ({ request }) => {
  const answer = await request.get('/api/prometheus/grafana/api/v1/rules');
  const { data } = (await answer.json()) as { data: { groups: Array<{ rules: Array<{ health: string }> }> } };
  const health = data.groups.flatMap(({ rules }) => rules.map((rule) => rule.health));
  expect(health.length).toBeGreaterThanOrEqual(2);
  expect(health).not.toContain('error');
});
