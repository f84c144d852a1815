/** Lines of prose in documents end at 120 characters. Tables, pictures and examples may be wider. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const MAX_CHARACTERS = 120;
const documents = execFileSync('git', ['ls-files', '*.md', ':!.config'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');

it.each(documents)('the lines of %s are short', (document) => {
  const prose = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^ *```.*?^ *```/gms, (fence) =>
    fence.replaceAll(/[^\n]/g, '')
  );
  const long = prose
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.length > MAX_CHARACTERS && !/^ *[|!]/.test(line));
  expect(long.map(({ line, number }) => `${document}:${number}: ${line.slice(0, 40)}…`)).toEqual([]);
});
