import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { translateError } from '#server/stores/duckdb/statements/store-errors';

const CORPUS = join(__dirname, '..', '..', '..', '..', 'corpus', 'stores', 'duckdb-errors.yaml');
const cases = parse(readFileSync(CORPUS, 'utf8')) as { text: string; error: [string, string?] }[];

it.each(cases)('only the first line of $text is read', ({ text, error: [code, reason] }) => {
  const { code: found, message, details } = translateError(new Error(text), false);
  expect([found, details.reason]).toEqual([code, reason]);
  expect(message).not.toMatch(/Error|Stack|LINE/);
});
