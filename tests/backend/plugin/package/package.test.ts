/**
 * The package of this machine's platform: made by `npm run package`, checked against the rules of Grafana's plugin
 * validator, unpacked and run. Each rule is also tried on a package with the mistake that it is for.
 *
 * @slow 55
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { EXECUTABLE, PLUGIN_ID } from '#contract/plugin/plugin';
import { type PluginHost, startPlugin } from '../../support/plugin-host';
import { PROJECT, type SampleService, startSampleService } from '../../support/sample-service';
import { makePackage, PLATFORM, type PluginPackage } from './make-package';
import { ARCHIVE_RULES } from './rules/archive';
import { BACKEND_RULES } from './rules/backend';
import { BROWSER_RULES } from './rules/browser';
import { DOCUMENT_RULES } from './rules/documents';
import { MANIFEST_RULES } from './rules/manifest';
import { PICTURE_RULES } from './rules/pictures';
import { SOURCE_RULES } from './rules/sources';

const MAKE_TIMEOUT_MS = 300_000;
const EXAMPLE = /```(text|sql)\n[^]*?```/g;
const SUFFIX = PLATFORM.startsWith('windows_') ? '.exe' : '';

let pluginPackage: PluginPackage;
let folder: string;

beforeAll(async () => {
  ({ pluginPackage, folder } = await makePackage());
}, MAKE_TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['archive', ARCHIVE_RULES],
  ['plugin.json', MANIFEST_RULES],
  ['pictures', PICTURE_RULES],
  ['documents', DOCUMENT_RULES],
  ['backend', BACKEND_RULES],
  ['browser part', BROWSER_RULES],
  ['source code', SOURCE_RULES],
])('plugin rules for the %s', (_, rules) => {
  test.each(rules)('$title ($name)', ({ problems, damage }) => {
    expect(problems(pluginPackage)).toEqual([]);
    expect(problems(damage(pluginPackage))).not.toEqual([]);
  });
});

describe('the unpacked package', () => {
  let service: SampleService;
  let host: PluginHost;

  beforeAll(async () => {
    service = await startSampleService();
    // An empty value: the backend must find no Node but its own.
    const executable = path.join(folder, PLUGIN_ID, `${EXECUTABLE}_${PLATFORM}${SUFFIX}`);
    host = await startPlugin({ GF_PLUGIN_NODE_PATH: '' }, executable);
  });

  afterAll(async () => {
    await host?.stop();
    await service?.stop();
  });

  test('runs on the Node that it includes', () => {
    expect(commandOf(host.child.pid!)).toContain(path.join(folder, PLUGIN_ID, 'rt', 'node'));
  });

  test('reports that it is healthy, and the endpoints of the service', async () => {
    expect(await host.health(service.source)).toMatchObject({
      status: 1,
      message: expect.stringContaining('logs.all'),
    });
  });

  test('runs the example queries of its README', async () => {
    const readme = readFileSync(path.join(folder, PLUGIN_ID, 'README.md'), 'utf8');
    const texts = [...readme.matchAll(EXAMPLE)].map(([block, language]) => ({
      mode: language === 'sql' ? 'sql' : 'lql',
      text: block.split('\n').slice(1, -1).join('\n').trim(),
    }));
    expect(texts.map(({ mode }) => mode)).toEqual(['lql', 'sql']);
    const queries = texts.map(({ mode, text }, at) => ({
      refId: 'AB'[at]!,
      query: { endpoint: { name: 'logs.all' }, params: { project: PROJECT }, mode, [mode]: text },
    }));
    const responses = await host.query(service.source, queries);
    expect(Object.values(responses).map(({ error, frames }) => ({ error, frames: frames.length }))).toEqual([
      { error: '', frames: 1 },
      { error: '', frames: 1 },
    ]);
  });
});

/** Command and arguments of a process; `ps` serves systems without `/proc`. */
function commandOf(pid: number): string[] {
  const file = `/proc/${pid}/cmdline`;
  if (existsSync(file)) return readFileSync(file, 'utf8').split('\0');
  return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
}
