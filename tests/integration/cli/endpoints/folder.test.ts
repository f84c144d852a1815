/**
 * `lqe endpoints pull` and `apply`: a folder and a server are made equal, in both directions.
 *
 * @slow 25
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply } from '#server/cli/endpoints/commands/apply';
import { pull } from '#server/cli/endpoints/commands/pull';
import { type CliServer, filesOf, startCliServer } from './cli-server';

const WITH_COMMENTS = '# Head.\r\nname: edge.crlf\r\nquery: |\r\n  SELECT 1 AS n\r\n\r\n# End, without a line end';
const WITH_BOM = '\u00ef\u00bb\u00bfname: edge.bom\nquery: SELECT 1 AS n\n';
const ID = '3d1a9fd0-0000-4000-8000-00000000000a';
const FILES: Readonly<Record<string, string>> = {
  'edge.bom.yaml': WITH_BOM,
  'edge.crlf.yaml': WITH_COMMENTS,
  'edge.first.yaml': `id: ${ID}\nname: edge.first\nparameters:\n  - name: p\n    values: { query: edge.second }\nquery: SELECT @p AS p\n`,
  'edge.second.yaml':
    'name: edge.second\nparameters:\n  - name: q\n    values: { query: edge.first }\nquery: SELECT @q AS q\n',
};

let server: CliServer;
let root: string;

beforeAll(async () => {
  server = await startCliServer();
  root = mkdtempSync(join(tmpdir(), 'lqe-folder-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'd-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, 'latin1');
  return folder;
}

async function emptyServer(): Promise<void> {
  const folder = folderOf({ 'keep.yaml': 'name: keep\nquery: SELECT 1 AS n\n' });
  await apply(server.withPerson(), folder, { yes: true, prune: true });
}

describe('apply and pull', () => {
  it('are inverse, byte for byte, for saved queries that take values from each other', async () => {
    const folder = folderOf(FILES);
    const dry = await server.lqe('apply', folder, '--dry-run');
    expect(dry.code).toBe(2);
    expect(dry.stdout).toContain('4 new, 0 changed, 0 to delete, 0 unchanged.');
    expect(dry.stderr).toContain('Managed in files of the server, not changed: closed, logs.all, usage.api-counts.');

    const unasked = await server.lqe('apply', folder);
    expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining('give --yes')]);
    const applied = await server.lqe('apply', folder, '--yes', '--message', 'all at once');
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('[5/5] + edge.first')]);

    expect(await server.lqe('apply', folder, '--dry-run')).toMatchObject({
      code: 0,
      stdout: '0 new, 0 changed, 0 to delete, 4 unchanged.\n',
    });
    expect((await server.lqe('diff', folder)).code).toBe(0);
    const copy = join(root, 'copy', 'of', 'it');
    expect((await server.lqe('pull', copy)).code).toBe(0);
    expect(filesOf(copy)).toEqual(FILES);
    expect((await server.lqe('pull', copy)).stdout).toBe('0 written, 0 removed, 4 unchanged.\n');
  });

  it('renames by id, deletes only with --prune, and brings a deleted id back with its history', async () => {
    await emptyServer();
    const folder = folderOf(FILES);
    await apply(server.withPerson('y'), folder, {});
    const renamed = {
      'edge.renamed.yaml': FILES['edge.first.yaml']!.replace('edge.first', 'edge.renamed').replace(
        'edge.second',
        'keep'
      ),
      'keep.yaml': 'name: keep\nquery: SELECT 2 AS n\n',
    };
    const next = folderOf(renamed);
    // edge.second stays without --prune, and takes values from edge.first.
    await expect(apply(server.withPerson(), next, { dryRun: true })).rejects.toThrow(
      'there is no order for the changes of edge.renamed'
    );

    const person = server.withPerson('y');
    expect(await apply(person, next, { prune: true })).toBe(0);
    const shown = person.printed.join('\n');
    expect(shown).toContain('~ edge.renamed (renamed from edge.first)');
    expect(shown).toContain('-name: edge.first\n+name: edge.renamed');
    expect(shown).toContain('- edge.crlf (revision 1)');
    await pull(server.withPerson(), folder, { prune: true });
    expect(filesOf(folder)).toEqual(renamed);

    await apply(server.withPerson(), folderOf({ 'keep.yaml': renamed['keep.yaml'] }), { prune: true, yes: true });
    await apply(server.withPerson(), next, { yes: true });
    const history = await server.withPerson().remote.history(ID);
    expect(history.map(({ action }) => action).slice(0, 2)).toEqual(['restore', 'delete']);
  });

  it('changes nothing when one file of many is bad', async () => {
    await emptyServer();
    const cases: Readonly<Record<string, readonly [Readonly<Record<string, string>>, string]>> = {
      'a query that does not compile': [
        { 'x.yaml': 'name: x\nquery: |\n  SELECT nope\n  FROM edge_requests\n' },
        'x.yaml:3:10: ',
      ],
      'broken YAML': [{ 'x.yaml': 'name: "x\n' }, 'x.yaml:2:1: '],
      'binary bytes': [{ 'x.yaml': '\u0000\u00ff' }, 'x.yaml:1:1: is not a text file'],
      'another encoding': [{ 'x.yaml': 'name: \u00ff' }, 'x.yaml:1:1: is not valid UTF-8'],
      'a long file': [{ 'x.yaml': '#'.repeat(1024 * 1024 + 1) }, 'x.yaml:1:1: is longer than 1048576 bytes'],
      'deep nesting': [{ 'x.yaml': '['.repeat(100_000) }, 'x.yaml:1:1: has more than 20,000 words and signs'],
      'two files with one name': [
        { 'x.yml': 'name: new\nquery: SELECT 1 AS n\n' },
        'x.yml:1:7: the name "new" is that of ',
      ],
      'a name of a file of the server': [
        { 'x.yaml': 'name: closed\nquery: SELECT 1 AS n\n' },
        'x.yaml:1:7: the saved query "closed" is managed',
      ],
      'a reserved name': [
        { 'x.yaml': 'name: validate\nquery: SELECT 1 AS n\n' },
        'x.yaml:1:7: the name "validate" is reserved',
      ],
    };
    for (const [files, message] of Object.values(cases)) {
      const folder = folderOf({ 'new.yaml': 'name: new\nquery: SELECT 1 AS n\n', ...files });
      const { printed, ...context } = server.withPerson();
      expect(await apply(context, folder, { yes: true })).toBe(1);
      expect(printed.join('\n')).toContain(message);
    }
    expect((await server.withPerson().remote.list()).map(({ name }) => name)).not.toContain('new');
  });

  it('does not overwrite a change that was made after the plan', async () => {
    await emptyServer();
    const folder = folderOf({ 'keep.yaml': 'name: keep\nquery: SELECT 3 AS n\n' });
    const { printed, remote, terminal } = server.withPerson();
    const interfering = {
      ...terminal,
      ask: async () => {
        const { id, revision } = await remote.read('keep');
        await remote.replace(id, revision, 'name: keep\nquery: SELECT 4 AS n\n', undefined);
        return 'yes';
      },
    };
    await expect(apply({ remote, terminal: interfering }, folder, {})).rejects.toThrow(
      /keep: .*\(revision_conflict\)[^]*after the plan[^]*Nothing was changed/
    );
    expect(printed.join('\n')).toContain('+query: SELECT 3 AS n');
    expect((await remote.read('keep')).query).toBe('SELECT 4 AS n');
  });

  it('refuses folders without files, so that a wrong path with --prune deletes nothing', async () => {
    await expect(apply(server.withPerson(), folderOf({}), { yes: true, prune: true })).rejects.toThrow('no YAML files');
    await expect(apply(server.withPerson(), join(root, 'missing'), { yes: true })).rejects.toThrow('ENOENT');
    await expect(apply(server.withPerson(), join(folderOf({ a: '' }), 'a'), {})).rejects.toThrow('is not a folder');
  });

  it('reads links inside the folder only, and writes through none', async () => {
    await emptyServer();
    const outside = folderOf({ 'secret.yaml': 'name: secret\nquery: SELECT 1 AS n\n' });
    const folder = folderOf({});
    mkdirSync(join(folder, 'v1'));
    writeFileSync(join(folder, 'v1', 'keep.yaml'), 'name: keep\nquery: SELECT 5 AS n\n');
    symlinkSync(join('v1', 'keep.yaml'), join(folder, 'keep.yaml'));
    expect(await apply(server.withPerson(), folder, { yes: true })).toBe(0);
    symlinkSync(join(outside, 'secret.yaml'), join(folder, 'secret.yaml'));
    const { printed, ...context } = server.withPerson();
    expect(await apply(context, folder, { yes: true })).toBe(1);
    expect(printed.join('\n')).toContain('symbolic link that leads out of the folder');
    await expect(pull(server.withPerson(), folder, {})).rejects.toThrow('keep.yaml is a symbolic link');
    rmSync(join(folder, 'keep.yaml'));
    symlinkSync(join(outside, 'secret.yaml'), join(folder, 'keep.yaml'));
    await expect(pull(server.withPerson(), folder, {})).rejects.toThrow('Nothing was written');
    expect(filesOf(outside)['secret.yaml']).toContain('name: secret');
  });

  it('leaves files alone that pull would not write', async () => {
    await emptyServer();
    const files = {
      'README.md': 'text',
      'notes.yaml': 'just: notes\n',
      'old.yaml': 'name: old\nquery: SELECT 1 AS n\n',
      'other.yaml': 'name: keep\nquery: SELECT 1 AS n\n',
    };
    const folder = folderOf(files);
    const first = server.withPerson();
    await pull(first, folder, {});
    expect(Object.keys(filesOf(folder))).toEqual(['README.md', 'keep.yaml', 'notes.yaml', 'old.yaml', 'other.yaml']);
    expect(first.printed.join('\n')).toMatch(
      /removed with --prune: \S+old\.yaml\.\nFiles that define the same .*other\.yaml/
    );
    await pull(server.withPerson(), folder, { prune: true });
    expect(Object.keys(filesOf(folder))).toEqual(['README.md', 'keep.yaml', 'notes.yaml', 'other.yaml']);
  });
});
