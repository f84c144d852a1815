/** `lqe catalog pull` into a folder that does not take all files. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeDefinitionSet } from '#server/cli/catalog/write-set';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'lqe-pull-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const setOf = (...names: readonly string[]) => ({
  sources: { file: 'sources.yaml', text: 'sources: []\n' },
  queries: names.map((file) => ({ file, text: `# ${file}\n` })),
});

it('a set that cannot be written as a whole leaves nothing, so that the same command can be run again', () => {
  expect(() => writeDefinitionSet(folder, setOf('one.yaml', `${'x'.repeat(300)}.yaml`))).toThrow('ENAMETOOLONG');
  expect(readdirSync(folder)).toEqual([]);
  writeDefinitionSet(folder, setOf('one.yaml'));
  expect(existsSync(join(folder, 'sources.yaml'))).toBe(true);
  expect(readdirSync(join(folder, 'endpoints'))).toEqual(['one.yaml']);
});
