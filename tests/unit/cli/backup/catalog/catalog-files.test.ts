import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupError } from '#server/cli/backup/backup-error';
import { ensureDefinitions } from '#server/cli/backup/catalog/catalog-files';

const folder = mkdtempSync(join(tmpdir(), 'lqe-definitions-'));
const [endpointsDir, sourcesFile] = [join(folder, 'endpoints'), join(folder, 'sources.yaml')];
mkdirSync(endpointsDir);
writeFileSync(sourcesFile, 'sources: []\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('definitions that exist are accepted', () => {
  expect(() => ensureDefinitions({ endpointsDir, sourcesFile })).not.toThrow();
});

it.each([
  ['--sources-file', { endpointsDir, sourcesFile: join(folder, 'missing.yaml') }],
  ['--sources-file', { endpointsDir, sourcesFile: endpointsDir }],
  ['--endpoints-dir', { endpointsDir: join(folder, 'missing'), sourcesFile }],
  ['--endpoints-dir', { endpointsDir: sourcesFile, sourcesFile }],
])('a backup without definitions is refused, and %s is named', (option, places) => {
  expect(() => ensureDefinitions(places)).toThrow(BackupError);
  expect(() => ensureDefinitions(places)).toThrow(option);
});
