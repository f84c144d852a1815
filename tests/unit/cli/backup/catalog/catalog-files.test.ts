import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupError } from '#server/cli/backup/backup-error';
import { ensureDefinitions, ensureServed } from '#server/cli/backup/catalog/catalog-files';

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

describe('beside a running server', () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'sources.yaml'), 'sources: []\n');
  const link = join(folder, 'link');
  symlinkSync(endpointsDir, link);
  const served = { endpoints_dir: endpointsDir, sources_file: sourcesFile };

  it.each([
    ['the same', { endpointsDir, sourcesFile }, served],
    ['linked', { endpointsDir: link, sourcesFile }, served],
    [
      'not seen from here',
      { endpointsDir, sourcesFile },
      { endpoints_dir: '/srv/none', sources_file: '/srv/none.yaml' },
    ],
  ])('definitions that are %s are accepted', (_, places, files) => {
    expect(() => ensureServed(places, files)).not.toThrow();
  });

  it('a backup has the definitions of the database exactly where the server has them there', () => {
    const places = { endpointsDir, sourcesFile };
    expect(() => ensureServed(null, 'database')).not.toThrow();
    expect(() => ensureServed(places, 'database')).toThrow('Set LQE_CATALOG_URL');
    expect(() => ensureServed(null, served)).toThrow('Unset LQE_CATALOG_URL');
  });

  it.each([
    [`${sourcesFile}. Name this file with --sources-file.`, { endpointsDir, sourcesFile: join(other, 'sources.yaml') }],
    [`${endpointsDir}. Name this folder with --endpoints-dir.`, { endpointsDir: other, sourcesFile }],
  ])('other definitions are refused: they are in %s', (message, places) => {
    expect(() => ensureServed(places, served)).toThrow(message);
  });
});
