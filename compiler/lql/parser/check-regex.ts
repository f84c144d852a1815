/** Validates regular expressions before anything runs: RE2 syntax, which runs in linear time. */
import { patternProblem } from '../../functions/text/regexp/regular-expression';
import { lqlError } from '../errors';
import type { Text } from '../rules';
import type { Reader } from './reader';

/** @throws bad_regex */
export function checkRegex({ text, position }: Text, { patterns }: Pick<Reader, 'patterns'>): void {
  const problem = patternProblem(text, patterns);
  if (problem === null) return;
  throw lqlError('bad_regex', problem.message, position, {
    hint: problem.hint ?? 'the syntax is RE2; put quotes round a pattern with blanks',
  });
}
