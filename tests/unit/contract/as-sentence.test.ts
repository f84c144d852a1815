import { asSentence } from '#contract/as-sentence';
import { ServiceError } from '#contract/errors';

it.each([
  ['unknown column "x"', 'Unknown column "x".'],
  ['table "a" is not here, choose another', 'Table "a" is not here, choose another.'],
  ['The query is empty.', 'The query is empty.'],
  ['did you mean "a"?', 'Did you mean "a"?'],
  ['edge_logs.id is no number', 'edge_logs.id is no number.'],
  ['f: takes one table', 'f: takes one table.'],
  ['The token is not valid. (token_invalid)', 'The token is not valid. (token_invalid)'],
  ['the login failed (password)', 'The login failed (password).'],
  ['CAST: "x" is no number', 'CAST: "x" is no number.'],
])('the phrase %j reads %j', (phrase, sentence) => {
  expect(asSentence(phrase)).toBe(sentence);
});

it('a caller reads the text of a call of ERROR as its author wrote it', () => {
  const error = new ServiceError('query_invalid', 'ERROR: too many', { reason: 'error_called' });
  expect(error.sentence).toBe('ERROR: too many');
});
