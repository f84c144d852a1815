/** The compiler's README shows what its stages make of a query today. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilerStages } from '../support/docs/compiler-stages';

const README = readFileSync(join(__dirname, '..', '..', 'compiler', 'README.md'), 'utf8');
const [SQL, ...SHOWN] = [...README.split('## One query at each stage')[1]!.matchAll(/^```\w+\n(.*?)\n```$/gms)].map(
  ([, text]) => text!
);

test('the README of the compiler shows each stage of its query as it is', () => {
  const stages = compilerStages(SQL!);
  expect(SHOWN).toEqual(Object.values(stages));
});
