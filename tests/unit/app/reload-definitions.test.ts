import { cpSync } from 'node:fs';
import path from 'node:path';
import { DefinitionsReload } from '#server/app/reload-definitions';
import { createTestService, type TestService } from '../../support/servers/in-memory';

const ROOT = path.resolve(__dirname, '..', '..', '..');

let service: TestService;
beforeEach(() => {
  service = createTestService();
  const endpointsDir = path.join(service.dataDir, 'endpoints');
  cpSync(path.join(ROOT, 'endpoints'), endpointsDir, { recursive: true });
  const files = { dataDir: service.dataDir, endpointsDir, sourcesFile: path.join(ROOT, 'sources.yaml') };
  ctx = { ...service.ctx, config: { ...service.ctx.config, files } };
});
afterEach(() => service.close());
let ctx: TestService['ctx'];

const reloads = (): number => service.log.filter(({ msg }) => msg === 'the definitions were reloaded').length;
const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

it('requests to reload during the start are done once, after the start', async () => {
  const reload = new DefinitionsReload();
  reload.request();
  reload.request();
  await turns();
  expect(reloads()).toBe(0);
  reload.start(ctx);
  await turns();
  expect(reloads()).toBe(1);
  expect(ctx.definitions.find('logs.all')).toBeDefined();
});

it('nothing is reloaded at the start without a request', async () => {
  new DefinitionsReload().start(ctx);
  await turns();
  expect([reloads(), service.engine.asked.length]).toEqual([0, 0]);
});

it('the service goes on after a failed reload of any kind, and can reload again', async () => {
  const reload = new DefinitionsReload();
  reload.start(ctx);
  const reopen = service.engine.reopen;
  service.engine.reopen = () => Promise.reject(new TypeError('no such thing'));
  reload.request();
  await turns();
  expect(service.logText()).toContain('the definitions cannot be reloaded: the former ones stay');
  service.engine.reopen = reopen;
  reload.request();
  await turns();
  expect(reloads()).toBe(1);
});
