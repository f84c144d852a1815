import { ServiceError } from '#contract/errors';
import { formatFailure } from '#server/cli/output/format-failure';

it.each([
  [new Error('the database refuses the password'), 'The database refuses the password.'],
  [new Error('queries/a.yaml:1:1: name: is missing\nqueries/b.yaml:2:1: unknown key'), undefined],
  ['gave up', 'Gave up.'],
  [
    new ServiceError('query_invalid', 'unknown column "x"', { hint: 'did you mean "y"?' }),
    'Unknown column "x". (query_invalid)\n  hint: did you mean "y"?',
  ],
])('the failure %s is one sentence, and a list stays as it is', (failure, shown) => {
  expect(formatFailure(failure)).toBe(shown ?? failure.message);
});
