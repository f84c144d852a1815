/** Patterns that would take long to compile are refused before they are compiled, and others are not. */
import { RE2JS } from 're2js';
import { PatternBudget } from '#contract/pattern-limits';

const REPEATS = 'a regular expression repeats too much';
const RANGES = 'a regular expression with (?i) has too many large ranges';
const CLASSES = 'a regular expression has more than 100 classes such as \\pL';

test.each([
  ['parts that repeat a thousand times', '.{0,1000}'.repeat(100), REPEATS],
  ['a long part that repeats', `(${'a'.repeat(900)}){1000}`, REPEATS],
  ['a long text that repeats', `(?:\\Q${'*'.repeat(900)}\\E){1000}`, REPEATS],
  ['repetitions in repetitions', '((((a{30}){30}){30}){30})', REPEATS],
  ['an open repetition', `(${'[]a]'.repeat(100)}){900,}`, REPEATS],
  ['large ranges of letters in both cases', `(?i)${'[b-\\x{1ffff}]'.repeat(60)}`, RANGES],
  ['large ranges in one class', `(?s-m)(?Ui:[^${'b-\u{1fff0}'.repeat(60)}])`, RANGES],
  ['many classes of Unicode', '\\pL'.repeat(101), CLASSES],
  ['many of them in a class', `[${'\\p{Lu}\\P{Greek}'.repeat(51)}]`, CLASSES],
])('%s are refused', (_name, pattern, expected) => {
  expect(new PatternBudget().take(pattern)).toBe(expected);
});

test.each([
  ['a thousand characters', '.{1000}'],
  ['a thousand of a class', '[[:alpha:]\\]\\x{61}-\\x{7a}]{1000}'],
  ['an address', '(?i)^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$'],
  ['an identifier', '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$'],
  ['letters of all languages', '(?i)[\\pL\\x{80}-\\x{10ffff}]+@[\\pL-]+'],
  ['braces and brackets that are characters', '\\{1000\\}[{9999}(]\\Q(a{1000}){1000}\\E{,5}\\\\pL'],
  ['a named group', '(?P<year>\\d{4})-(?<month>\\d{2})'],
  ['alternatives', Array.from({ length: 200 }, (_, index) => `w${index}`).join('|')],
])('%s are not refused', (_name, pattern) => {
  expect(new PatternBudget().take(pattern)).toBeNull();
  expect(RE2JS.compile(pattern).programSize()).toBeLessThan(10_000);
});

test.each([
  ['repetitions', '.{0,900}.{0,900}', 11],
  ['ranges of letters in both cases', '(?i)[b-\\x{1ffff}]', 7],
  ['classes of Unicode', '\\pL'.repeat(20), 10],
])('the patterns of a statement have together few %s', (_name, pattern, count) => {
  const budget = new PatternBudget();
  const together = 'the regular expressions of the query are too large together';
  const taken = Array.from({ length: count + 1 }, () => budget.take(pattern));
  expect(taken).toEqual([...Array<null>(count).fill(null), together]);
});

test.each([
  ['repetitions', '(?:a{0,1000}){0,1}'.repeat(4), '(?:a{0,1000}){0,1}'.repeat(2), 2],
  ['ranges of letters in both cases', '(?i)[b-\\x{1ffff}]', '(?i)[b-\\x{bfff}]', 5],
  ['classes of Unicode', '\\pL'.repeat(51), '\\pL'.repeat(50), 2],
])('patterns of parameters have fewer %s than those of a statement', (_name, refused, accepted, count) => {
  expect(new PatternBudget('parameters').take(refused)).toMatch(/^a regular expression /);
  const budget = new PatternBudget('parameters');
  const taken = Array.from({ length: count + 1 }, () => budget.take(accepted));
  const together = 'the regular expressions of the parameters are too large together';
  expect(taken).toEqual([...Array<null>(count).fill(null), together]);
});

test('a statement has hundreds of common patterns', () => {
  const budget = new PatternBudget();
  for (let n = 0; n < 400; n += 1)
    expect(budget.take(`(?i)\\bword-${n}\\b.*failed (?:with|at) [a-z]{1,20}`)).toBeNull();
});

test('texts that are no patterns are left to the parser', () => {
  for (const text of ['(', ')', '[', '\\', '{5}', '*', 'a{', '(?', '[a', '\\p{', ')))((', 'a{99999999999999999999}'])
    expect(() => new PatternBudget().take(text)).not.toThrow();
});
