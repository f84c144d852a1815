/** Strict reading of JSON bodies: how much of it there may be. */
import { parseStrictJson } from '#server/http/parsing/parse-json';

const list = (count: number, item: string): string => `[${Array<string>(count).fill(item).join()}]`;

it.each([
  ['values', list(9_999, '1')],
  ['commas in a text', JSON.stringify({ query: 'select 1, 2, [3], {4} '.repeat(9_000) })],
  ['backslashes at the end of a text', '{"a\\\\":"b\\\\\\\\","c":"\\\\\\""}'],
  ['escaped quotes in a text', JSON.stringify({ query: '","'.repeat(20_000) })],
])('%s are read', (_name, text) => {
  expect(parseStrictJson(text)).toEqual(JSON.parse(text));
});

it.each([
  ['values', list(10_000, '1')],
  ['objects', list(5_000, '{"a":1}')],
  ['open lists', '['.repeat(200_000)],
  ['names', `{${Array.from({ length: 10_000 }, (_, n) => `"n${n}":1`).join()}}`],
])('too many %s are refused', (_name, text) => {
  expect(() => parseStrictJson(text)).toThrow('The body has more than 10000 values.');
});

it.each(['{"a', '{"a\\', '"', '{"a":1,}', '', ',,,'])('what is no JSON is refused: %s', (text) => {
  expect(() => parseStrictJson(text)).toThrow('The request body is not valid JSON.');
});
