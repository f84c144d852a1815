/** Regular expressions of a call take little time, whatever the values: all callers wait meanwhile. */
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { bindParameters } from '../../../../../server/http/request/call/bind-parameters';

const bind = (parameters: object[], values: Record<string, string>) =>
  bindParameters(
    declaring(parameters),
    Object.entries(values),
    { fixed_parameters: {}, tenant: null },
    { reserved: [] }
  );

const declaring = (parameters: object[]): SavedQuery =>
  savedQuerySchema.parse({ id: '00000000-0000-4000-8000-000000000001', name: 'q', query: 'select 1', parameters });

const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
};

test('a value that is too long for its pattern is refused before it is compared', () => {
  const parameters = [{ name: 'p', pattern: '(?:[^b]?){0,600}.*' }];
  expect(refusal(() => bind(parameters, { p: 'a'.repeat(100_000) }))).toMatchObject({
    code: 'parameter_invalid',
    message: 'The parameter "p" is too long for its pattern.',
    details: { parameter: 'p', max_length: expect.closeTo(554, -1) as number },
  });
  expect(bind(parameters, { p: 'a'.repeat(300) }).values).toEqual({ p: 'a'.repeat(300) });
});

test('the values of a call have one share of comparisons', () => {
  const parameters = ['p', 'q', 'r'].map((name) => ({ name, pattern: '[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,12}' }));
  const ids = Array(13).fill('7f0c1a52-3f0e-4f2c-9d57-0c8d4ab1c9e2').join(',');
  expect(bind(parameters.slice(0, 2), { p: ids, q: ids }).values).toEqual({ p: ids, q: ids });
  expect(refusal(() => bind(parameters, { p: ids, q: ids, r: 'x'.repeat(2000) }))).toMatchObject({
    message: 'The parameter "r" is too long for its pattern.',
  });
});

test('a pattern that an earlier version stored is refused before it is compiled', () => {
  const parameters = [{ name: 'p', pattern: '(?:[a-z]{0,999}-){12}' }];
  expect(refusal(() => bind(parameters, { p: 'a' }))).toMatchObject({
    code: 'parameter_invalid',
    message: 'The parameter "p" cannot be compared with its pattern: a regular expression repeats too much.',
    details: { parameter: 'p', hint: 'write a shorter pattern in the saved query' },
  });
});

test('a long value of a short pattern is compared', () => {
  const text = 'a-'.repeat(80_000);
  expect(bind([{ name: 'p', pattern: '[\\w-]+' }], { p: text }).values).toEqual({ p: text });
  expect(refusal(() => bind([{ name: 'p', pattern: '[\\w-]+' }], { p: `${text}!` }))).toMatchObject({
    message: 'The parameter "p" does not match its pattern.',
  });
});

test.each([
  ['one that takes long to compile', ['(?i)[A-z\\x{100}-\\x{1e900}][A-z\\x{100}-\\x{1e900}]']],
  ['many that do together', ['a{900}b{500}', 'c{900}d{500}'].flatMap((p) => [`${p}(?:xyz){400}`, `${p}(?:zyx){401}`])],
])('patterns as values are refused: %s', (_name, values) => {
  const parameters = values.map((_, index) => ({ name: `p${index}`, format: 'regex' }));
  const given = Object.fromEntries(values.map((value, index) => [`p${index}`, value]));
  expect(refusal(() => bind(parameters, given))).toMatchObject({
    code: 'parameter_invalid',
    message: expect.stringMatching(/^The parameter "p\d" is too large: /) as string,
  });
});

test('a pattern as a value that is known to be valid is not compiled again', () => {
  const parameters = Array.from({ length: 20 }, (_, index) => ({ name: `p${index}`, format: 'regex' }));
  const given = Object.fromEntries(parameters.map(({ name }) => [name, '(?:abc){600}']));
  expect(bind(parameters, given).values).toEqual(given);
});
