import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeSetAside, setBatchAside } from '#server/engine/client/blame/set-aside';

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'set-aside-'));
  folder = path.join(root, 'journal');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const keep = (owner: string, body = 'x'): Promise<string | null> =>
  setBatchAside(folder, { source: 'edge_requests', owner, body: Buffer.from(body) });
const ownersLeft = (): string[] =>
  readdirSync(folder).map((name) => /-([^-]+)\.rejected$/.exec(name)?.[1] ?? 'another file');

test('a rejected batch is written to a file of its own that only the service can read', async () => {
  const name = await keep('tok-en/../1', '{"id":"a"}\n');
  expect(name).toMatch(/^batch-\d+-\d+-edge_requests-tok_en_.._1\.rejected$/);
  const file = path.join(folder, String(name));
  expect(readFileSync(file, 'utf8')).toBe('{"id":"a"}\n');
  expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('a token with many rejected batches loses its own, and those of other tokens stay', async () => {
  await keep('good');
  for (let index = 0; index < 40; index += 1) await keep('bad');
  const left = ownersLeft();
  expect(left).toHaveLength(32);
  expect(left.filter((owner) => owner === 'good')).toHaveLength(1);
});

test('files of the journal itself are never removed', async () => {
  await keep('a');
  const names = ['0000000000000001.journal', 'edge_requests-7.rejected'];
  for (const name of names) writeFileSync(path.join(folder, name), '');
  for (let index = 0; index < 40; index += 1) await keep('a');
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(names));
  expect(readdirSync(folder)).toHaveLength(32 + names.length);
});

test('rejected batches of one source are removed, and those of others stay', async () => {
  await keep('a');
  const other = { source: 'edge', owner: 'a', body: Buffer.from('x') };
  await setBatchAside(folder, other);
  const name = await setBatchAside(folder, { ...other, source: 'requests' });
  await removeSetAside(folder, 'edge_requests');
  await removeSetAside(folder, 'edge');
  await removeSetAside(path.join(root, 'missing'), 'edge');
  expect(readdirSync(folder)).toEqual([name]);
});
