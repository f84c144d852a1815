/**
 * `lqe restore` of good, damaged and hostile backups of a stopped server.
 *
 * @slow 20
 */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Source } from '#contract/events/source';
import { type EventFile, type Manifest, readManifest, writeManifest } from '#server/cli/backup/files/manifest';
import { ParquetFiles } from '#server/cli/backup/events/parquet-files';
import { dayName, openBackup, verifyFiles } from '#server/cli/restore/verify-backup';
import buildServer from '../../support/processes/build-server';
import { type CliOutcome, runCliWith } from '../../support/servers/spawned';
import { storedRows } from '../../support/stores/stored-rows';
import { makeSource, openFixture, type StoreFixture } from '../stores/store-fixture';

jest.setTimeout(60_000);

const source: Source = makeSource({
  retention_days: 3650,
  columns: { project: 'STRING', size: 'FLOAT64', count: 'INT64', ok: 'BOOL' },
  fields: { 'request.path': 'STRING' },
});

let original: StoreFixture;
let folder: string;
let good: string;

/** Events of three days with every kind of value. @param month as in 2026-11 */
function oddEvents(month: string, firstDay: number): readonly unknown[] {
  const odd = 'tab\t line\n quote" back\\ ünïcode 🦆';
  return Array.from({ length: 60 }, (_, n) => ({
    id: `e${n}${n % 6 === 0 ? odd : ''}`,
    timestamp: `${month}-${firstDay + (n % 3)}T0${n % 10}:00:00.00000${n % 10}Z`,
    event_message: n % 7 === 0 ? undefined : `${odd} ${n}`,
    project: n % 5 === 0 ? undefined : `p${n % 4}`,
    size: n % 4 === 0 ? undefined : n / 3,
    count: n % 2 === 0 ? 9_007_199_254_740_993n.toString() : n,
    ok: n % 3 === 0,
    metadata: {
      request: [{ path: `/${n}` }],
      n,
      m: n,
      [odd]: odd,
      tags: ['a', odd],
      list: [{ a: n }, { a: odd }],
      none: null,
    },
  }));
}

beforeAll(async () => {
  await buildServer();
  original = await openFixture([source]);
  folder = path.join(original.dataDir, '..', `${path.basename(original.dataDir)}-work`);
  mkdirSync(path.join(folder, 'endpoints'), { recursive: true });
  writeFileSync(path.join(folder, 'sources.yaml'), JSON.stringify({ sources: [source] }));
  writeFileSync(path.join(folder, 'endpoints', 'a saved query.yaml'), 'name: anything');
  await original.ingest(oddEvents('2026-11', 18));
  // Kinds and types that depend on the order of the events.
  await original.ingest([{ id: 'late', metadata: { m: 1.5, request: 'odd', tags: 'one' } }]);
  await original.ingest([{ id: 'later', metadata: { n: 'a text now', N: true } }]);
  await original.store.close();
  writeFileSync(path.join(original.dataDir, 'tokens.audit.log'), '{"action":"create"}\n');
  mkdirSync(path.join(original.dataDir, 'saved-queries', 'q1'), { recursive: true });
  writeFileSync(path.join(original.dataDir, 'saved-queries', 'q1', '1.yaml'), 'revision: 1');
  writeFileSync(path.join(original.dataDir, 'saved-queries', 'q1', '2.yaml.tmp'), 'half');
  mkdirSync(path.join(original.dataDir, 'audit'));
  writeFileSync(path.join(original.dataDir, 'audit', '2026-11.jsonl'), '{"a":1}\n');
  good = path.join(folder, 'good');
  expect(await backup(good)).toMatchObject({ code: 0, stdout: expect.stringContaining('62 events') });
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await original.remove();
});

async function closed(fixture: StoreFixture): Promise<string> {
  await fixture.store.close();
  return fixture.dataDir;
}

const places = (name: string): string[] => [
  ...['--endpoints-dir', path.join(folder, name)],
  ...['--sources-file', path.join(folder, name === 'endpoints' ? 'sources.yaml' : `${name}.yaml`)],
];
const backup = (to: string, ...words: string[]): Promise<CliOutcome> =>
  runCliWith({}, 'backup', to, '--data-dir', original.dataDir, ...places('endpoints'), ...words);
const restore = (from: string, target: string, ...words: string[]): Promise<CliOutcome> =>
  runCliWith(
    {},
    'restore',
    from,
    '--data-dir',
    path.join(folder, target),
    ...places(`${target}-definitions`),
    ...words
  );

/** A copy of the good backup. */
async function copied(name: string, change: (backup: string, manifest: Manifest) => Manifest | void): Promise<string> {
  const to = path.join(folder, name);
  cpSync(good, to, { recursive: true });
  const changed = change(to, readManifest(to)!);
  if (changed) await writeManifest(to, changed);
  return to;
}

const eventFile = ({ files }: Manifest): EventFile => files.find((file): file is EventFile => file.kind === 'events')!;

it('everything that is restored is equal, typed columns of nested fields included', async () => {
  expect(await restore(good, 'equal')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('62 events restored'),
  });
  const dataDir = path.join(folder, 'equal');
  for (const name of ['tokens.audit.log', 'saved-queries/q1/1.yaml', 'audit/2026-11.jsonl']) {
    expect(readFileSync(path.join(dataDir, name))).toEqual(readFileSync(path.join(original.dataDir, name)));
  }
  expect(readdirSync(path.join(dataDir, 'saved-queries', 'q1'))).toEqual(['1.yaml']);
  expect(readdirSync(path.join(folder, 'equal-definitions'))).toEqual(['a saved query.yaml']);
  const [there, here] = [await storedRows(dataDir, [source]), await storedRows(original.dataDir, [source])];
  expect(there.size).toBe(62);
  expect([...here].find(([key, row]) => there.get(key) !== row)).toBeUndefined();
});

it('sealed days are restored as they were before the seal', async () => {
  const sealed = await openFixture([source]);
  try {
    // In the past by any clock.
    await sealed.ingest(oddEvents('2026-03', 10));
    const before = await storedRows(await closed(sealed), [source]);
    expect(before.size).toBe(60);
    await sealed.reopen();
    while ((await sealed.store.sealing!.sealNext(new AbortController().signal)) !== null);
    // One day has late events beside its sealed part.
    await sealed.ingest([{ id: 'late', timestamp: '2026-03-10T12:00:00Z', metadata: { n: 7, m: 7, tags: ['b'] } }]);
    await sealed.store.close();
    const to = path.join(folder, 'of-sealed');
    const made = await runCliWith({}, 'backup', to, '--data-dir', sealed.dataDir, ...places('endpoints'));
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('61 events') });
    expect(await restore(to, 'from-sealed')).toMatchObject({ code: 0 });
    const restored = await storedRows(path.join(folder, 'from-sealed'), [source]);
    expect(restored.size).toBe(61);
    expect([...before].find(([key, row]) => restored.get(key) !== row)).toBeUndefined();
  } finally {
    await sealed.reopen();
    await sealed.remove();
  }
});

it('a backup is for its owner alone', () => {
  const modes = new Set<string>();
  for (const entry of readdirSync(good, { recursive: true, encoding: 'utf8' })) {
    const facts = statSync(path.join(good, entry));
    modes.add(`${facts.isDirectory() ? 'folder' : 'file'} ${(facts.mode & 0o777).toString(8)}`);
  }
  expect([...modes].sort()).toEqual(['file 600', 'folder 700']);
});

it('a damaged file is named, and nothing is restored', async () => {
  const damage: Record<string, (backup: string, manifest: Manifest) => Manifest | void> = {
    changed: (to, manifest) => {
      const file = path.join(to, eventFile(manifest).path);
      const bytes = readFileSync(file);
      bytes[100]! ^= 1;
      writeFileSync(file, bytes);
    },
    truncated: (to, manifest) => truncateSync(path.join(to, eventFile(manifest).path), 200),
    missing: (to, manifest) => rmSync(path.join(to, eventFile(manifest).path)),
    linked: (to, manifest) => {
      const file = path.join(to, eventFile(manifest).path);
      renameSync(file, `${file}.real`);
      symlinkSync(`${file}.real`, file);
    },
    folder: (to) => {
      renameSync(path.join(to, 'events'), path.join(folder, 'elsewhere'));
      symlinkSync(path.join(folder, 'elsewhere'), path.join(to, 'events'));
    },
    fewer: (_, manifest) => ({
      ...manifest,
      files: manifest.files.map((file) => (file.kind === 'events' ? { ...file, rows: file.rows + 1 } : file)),
    }),
  };
  const parquet = await ParquetFiles.open(1);
  for (const [name, change] of Object.entries(damage)) {
    const to = await copied(`damaged-${name}`, change);
    const verified = verifyFiles(to, openBackup(to).files, parquet, () => undefined, new AbortController().signal);
    await expect(verified).rejects.toThrow(/damaged-\w+\/events.* is damaged: .*Nothing was restored/);
  }
  parquet.close();
  const outcome = await restore(path.join(folder, 'damaged-changed'), 'untouched');
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('its checksum differs') });
  expect(existsSync(path.join(folder, 'untouched'))).toBe(false);
});

it('a manifest that leads elsewhere, or that this program does not know, is refused', async () => {
  const renamed = (name: string) => (_: string, manifest: Manifest) => ({
    ...manifest,
    files: manifest.files.flatMap((file) => (file.kind === 'catalog' ? [{ ...file, name }] : [])).slice(0, 1),
  });
  const text = (to: string): string => readFileSync(path.join(to, 'manifest.json'), 'utf8');
  const write = (to: string, value: string): void => writeFileSync(path.join(to, 'manifest.json'), value);
  const hostile: Record<string, [RegExp, (backup: string, manifest: Manifest) => Manifest | void]> = {
    up: [/not a relative path/, (_, m) => ({ ...m, files: [{ ...eventFile(m), path: '../../secret.parquet' }] })],
    absolute: [/not a relative path/, (_, m) => ({ ...m, files: [{ ...eventFile(m), path: '/etc/passwd' }] })],
    name: [/not a relative path/, renamed('audit/../../x')],
    unknown: [/does not know: journal\/0001\.journal/, renamed('journal/0001.journal')],
    undeclared: [/does not declare this source/, (_, m) => ({ ...m, sources: [{ ...m.sources[0]!, name: 'others' }] })],
    newer: [
      /has format 2, but this program reads format 1/,
      (to) => write(to, text(to).replace('"format": 1', '"format": 2')),
    ],
    edited: [/its checksum differs/, (to) => write(to, text(to).replace(/"rows": \d+/, '"rows": 1'))],
    garbage: [/it is not JSON/, (to) => write(to, '{"format"')],
    none: [/has no complete backup/, (to) => rmSync(path.join(to, 'manifest.json'))],
  };
  for (const [name, [message, change]] of Object.entries(hostile)) {
    const hostileBackup = await copied(`hostile-${name}`, change);
    expect(() => openBackup(hostileBackup)).toThrow(message);
  }
});

it('definitions with other contents are kept unless they are to be replaced', async () => {
  const file = path.join(folder, 'kept-definitions', 'a saved query.yaml');
  mkdirSync(path.dirname(file));
  writeFileSync(file, 'name: mine');
  expect(await restore(good, 'kept')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--replace-definitions'),
  });
  expect(readFileSync(file, 'utf8')).toBe('name: mine');
  expect(existsSync(path.join(folder, 'kept'))).toBe(false);
  expect((await restore(good, 'kept', '--replace-definitions', '--only', 'catalog')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('name: anything');
  expect(existsSync(path.join(folder, 'kept', 'logs.duckdb'))).toBe(false);
  expect((await restore(good, 'kept', '--only', 'events')).code).toBe(0);
});

it('a stopped restore that continues with other places keeps the definitions there', async () => {
  const file = path.join(folder, 'stopped.yaml');
  writeFileSync(file, '# mine');
  const restoreTo = (sourcesFile: string): Promise<CliOutcome> =>
    restore(good, 'stopped', '--only', 'catalog', '--sources-file', sourcesFile);
  expect((await restoreTo(path.join(file, 'below a file'))).code).toBe(1);
  expect(await restoreTo(file)).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace-definitions') });
  expect(readFileSync(file, 'utf8')).toBe('# mine');
  expect((await restoreTo(path.join(folder, 'stopped-too.yaml'))).code).toBe(0);
});

it('events that a store has lost since a restore was stopped are stored by the call after it is noticed', async () => {
  const manifest = readManifest(good)!;
  const days = manifest.files.filter((file): file is EventFile => file.kind === 'events');
  const state = {
    restore: createHash('sha256')
      .update(JSON.stringify([manifest, 'events']))
      .digest('hex'),
    ...{ is_catalog_done: false, has_fields: true },
    done: Object.fromEntries(days.map((day) => [dayName(day), day.rows])),
  };
  mkdirSync(path.join(folder, 'lost'));
  writeFileSync(path.join(folder, 'lost', 'restore.json'), JSON.stringify(state));
  const first = await restore(good, 'lost', '--only', 'events');
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('in the backup, 0 in the store') });
  const second = await restore(good, 'lost', '--only', 'events');
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('62 events restored') });
});

it('a backup goes only to a folder of its own', async () => {
  const other = path.join(folder, 'other');
  mkdirSync(other);
  writeFileSync(path.join(other, 'letters.txt'), '');
  expect((await backup(other)).stderr).toContain('has other files (letters.txt)');
  const foreign = await copied('foreign', (_, manifest) => ({
    ...manifest,
    store: { ...manifest.store, identity: '0'.repeat(64) },
  }));
  expect((await backup(foreign)).stderr).toContain('a backup of another store');
  expect((await runCliWith({}, 'backup', other, '--data-dir', folder, ...places('endpoints'))).code).toBe(1);
});

it('an interrupted backup leaves the earlier one as it was', async () => {
  const to = await copied('earlier', () => undefined);
  appendFileSync(path.join(original.dataDir, 'tokens.audit.log'), '{"action":"revoke"}\n');
  const before = readFileSync(path.join(to, 'manifest.json'));
  // The new file of the audit log cannot be written.
  chmodSync(path.join(folder, 'endpoints', 'a saved query.yaml'), 0o600);
  rmSync(path.join(folder, 'sources.yaml'));
  expect((await backup(to)).code).toBe(1);
  expect(readFileSync(path.join(to, 'manifest.json'))).toEqual(before);
  expect((await restore(to, 'unused', '--dry-run')).code).toBe(0);
  writeFileSync(path.join(folder, 'sources.yaml'), JSON.stringify({ sources: [source] }));
  expect((await backup(to)).stdout).toContain(' 0 of them written');
  expect(existsSync(path.join(to, 'manifest.next.json'))).toBe(false);
});
