/**
 * The plugin in a real Grafana: `docker compose up`, then `npm run e2e`. GRAFANA_URL names another one;
 * GRAFANA_ADMIN_PASSWORD is what `docker compose run --rm secrets show` prints. Browsers are not installed with the
 * packages: `npx playwright install chromium`, or CHROMIUM names one.
 */
import { dirname } from 'node:path';
import type { PluginOptions } from '@grafana/plugin-e2e';
import { defineConfig, devices } from '@playwright/test';

const pluginE2eAuth = `${dirname(require.resolve('@grafana/plugin-e2e'))}/auth`;
const AUTH_FILE = 'playwright/.auth/admin.json';
const { CHROMIUM, GRAFANA_URL = 'http://localhost:3000', GRAFANA_ADMIN_PASSWORD = 'admin' } = process.env;

export default defineConfig<PluginOptions>({
  testDir: '.',
  outputDir: '../../build/e2e',
  reporter: 'list',
  retries: 1,
  use: {
    baseURL: GRAFANA_URL,
    trace: 'retain-on-failure',
    provisioningRootDir: '../../provisioning',
    grafanaAPICredentials: { user: 'admin', password: GRAFANA_ADMIN_PASSWORD },
    user: { user: 'admin', password: GRAFANA_ADMIN_PASSWORD },
    launchOptions: CHROMIUM ? { executablePath: CHROMIUM } : {},
  },
  projects: [
    { name: 'auth', testDir: pluginE2eAuth, testMatch: [/.*\.js/] },
    {
      name: 'chromium',
      use: { ...devices['Desktop Chrome'], storageState: AUTH_FILE },
      dependencies: ['auth'],
    },
  ],
});
