/**
 * `lqe endpoints edit`: what a person's editor writes is checked, merged with other changes, and never lost.
 *
 * @slow 10
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edit } from '#server/cli/endpoints/commands/edit';
import { createDraft } from '#server/cli/endpoints/edit/draft';
import { PROCESS_TOKEN, runCliWith } from '../../../support/servers/spawned';
import { type CliServer, startCliServer } from './cli-server';

const YAML =
  '# Kept.\nname: edge.slow\ndescription: Slow requests\n# Below.\nmax_rows: 10\nquery: |\n  SELECT id FROM edge_requests\n';

let server: CliServer;
let folder: string;
let id: string;

beforeAll(async () => {
  server = await startCliServer();
  folder = mkdtempSync(join(tmpdir(), 'lqe-editor-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const { remote } = server.withPerson();
  const known = (await remote.list()).find(({ name }) => name === 'edge.slow');
  id = known ? known.id : (await remote.create(YAML, undefined)).id;
  await remote.replace(id, (await remote.read(id)).revision, YAML, undefined);
});

/** An editor that runs one script of the shell after the other; `$1` is the file. */
function editor(...scripts: string[]): NodeJS.ProcessEnv {
  const name = mkdtempSync(join(folder, 'e-'));
  scripts.forEach((script, at) => writeFileSync(join(name, `${at}.sh`), script));
  const program = join(name, 'editor');
  writeFileSync(
    program,
    `#!/bin/sh\nset -e\nn=$(cat "${name}/n" 2>/dev/null || echo 0)\necho $((n + 1)) > "${name}/n"\ncp "$1" "${name}/seen$n"\n. "${name}/$n.sh"\n`
  );
  chmodSync(program, 0o700);
  return { VISUAL: program, SEEN: name };
}

const seen = (env: NodeJS.ProcessEnv, opening: number): string =>
  readFileSync(join(env.SEEN!, `seen${opening}`), 'utf8');

async function stored(): Promise<string | null> {
  const { remote } = server.withPerson();
  return (await remote.revision(id, (await remote.read(id)).revision)).yaml;
}

describe('edit', () => {
  it('stores what the editor wrote, with its comments, as a new revision', async () => {
    const env = editor(`sed -i 's/max_rows: 10/max_rows: 20/' "$1"; stat -c %a "$1" "$(dirname "$1")" > "$0.modes"`);
    const outcome = await runCliWith(
      { LQE_URL: server.service.url, LQE_TOKEN: PROCESS_TOKEN, EDITOR: env.VISUAL!, VISUAL: '' },
      ...['endpoints', 'edit', 'edge.slow', '-m', 'more rows']
    );
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^Stored edge\.slow as revision \d+\.\n$/);
    expect(await stored()).toBe(YAML.replace('10', '20'));
    expect(readFileSync(`${env.VISUAL!}.modes`, 'utf8')).toBe('600\n700\n');
    expect((await server.withPerson().remote.history(id, 1))[0]).toMatchObject({ message: 'more rows' });
  });

  it('says when nothing was changed, and leaves no file', async () => {
    const env = editor('true');
    const person = server.withPerson();
    const draft = createDraft('edge.slow', env);
    expect(await edit(person, 'edge.slow', {}, draft)).toBe(0);
    expect(person.printed).toEqual(['The text was not changed.']);
    expect(() => statSync(draft.file)).toThrow('ENOENT');
  });

  it('opens the text again with its problems on top, at the lines that the editor shows', async () => {
    const env = editor(
      `sed -i 's/SELECT id/SELECT nope/' "$1"`,
      `sed -i 's/nope/timestamp/; s/^max_rows.*/max_rowz: 1/' "$1"`,
      `sed -i 's/rowz/rows/' "$1"`
    );
    expect(await edit(server.withPerson('', 'y'), 'edge.slow', {}, createDraft('edge.slow', env))).toBe(0);
    expect(seen(env, 1).split('\n')[0]).toMatch(
      /^# lqe> \S+edge\.slow\.yaml:9:10: Unknown column "nope"\. \(query_invalid\)$/
    );
    expect(seen(env, 1).split('\n')[8]).toBe('  SELECT nope FROM edge_requests');
    expect(seen(env, 2)).toContain('yaml:6:1: unknown key "max_rowz"');
    expect(await stored()).toBe(YAML.replace('SELECT id', 'SELECT timestamp').replace('10', '1'));
  });

  it.each([
    ['a text that is refused', `echo 'nonsense: [' >> "$1"`, /edge\.slow\.yaml:\d+:\d+: /],
    ['an editor that fails', `echo '# mine' >> "$1"; exit 3`, /ended with exit code 3/],
    ['an empty text', `printf '' > "$1"`, /the text is empty/],
  ])('keeps %s in a file and prints its path', async (_, script, message) => {
    const person = server.withPerson('n');
    const draft = createDraft('edge.slow', editor(script));
    const failure = await edit(person, 'edge.slow', {}, draft).catch((error: unknown) => String(error));
    expect([...person.printed, failure].join('\n')).toMatch(message);
    expect(person.printed.at(-1)).toBe(`Your text is kept in ${draft.file}`);
    expect(statSync(draft.file).isFile()).toBe(true);
    draft.remove();
    expect(await stored()).toBe(YAML);
  });

  it('puts the changes on top of a revision that appeared since', async () => {
    const env = editor(`sed -i 's/max_rows: 10/max_rows: 20/' "$1"`, 'true');
    const person = server.withPerson('y');
    const draft = withOtherChange(createDraft('edge.slow', env), YAML.replace('Slow requests', 'The slowest'));
    expect(await edit(person, 'edge.slow', {}, draft)).toBe(0);
    expect(person.printed.join('\n')).toContain('-description: Slow requests\n+description: The slowest');
    expect(seen(env, 1)).toContain('# lqe> +description: The slowest');
    expect(await stored()).toBe(YAML.replace('Slow requests', 'The slowest').replace('10', '20'));
  });

  it('marks lines that both changed, and stores nothing until they are resolved', async () => {
    const env = editor(
      `sed -i 's/max_rows: 10/max_rows: 20/' "$1"`,
      'true',
      `sed -i '/^<<<</,/^====/d; /^>>>>/d' "$1"`
    );
    const draft = withOtherChange(createDraft('edge.slow', env), YAML.replace('10', '30'));
    expect(await edit(server.withPerson('y', 'y'), 'edge.slow', {}, draft)).toBe(0);
    expect(seen(env, 1)).toContain('<<<<<<< yours\nmax_rows: 20\n=======\nmax_rows: 30\n>>>>>>> revision ');
    expect(await stored()).toBe(YAML.replace('10', '30'));
  });

  it('without a terminal and without an editor says what to set', async () => {
    const env = { LQE_URL: server.service.url, LQE_TOKEN: PROCESS_TOKEN, EDITOR: '', VISUAL: '' };
    const { code, stderr } = await runCliWith(env, 'endpoints', 'edit', 'edge.slow');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Set VISUAL or EDITOR')]);
  });

  it('does not edit a saved query of a file', async () => {
    await expect(edit(server.withPerson(), 'closed', {})).rejects.toThrow('managed in a file of the server');
  });
});

/** Another request changes the saved query while the editor is open for the first time. */
function withOtherChange(draft: ReturnType<typeof createDraft>, text: string): ReturnType<typeof createDraft> {
  let isFirst = true;
  return {
    ...draft,
    edit: async (...args) => {
      const result = await draft.edit(...args);
      if (isFirst) {
        isFirst = false;
        const { remote } = server.withPerson();
        await remote.replace(id, (await remote.read(id)).revision, text, undefined);
      }
      return result;
    },
  };
}
