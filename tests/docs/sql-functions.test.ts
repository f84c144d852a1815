import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTION_FAMILIES } from '#compiler/functions/catalog';
import { functionReference } from '../../scripts/generate/function-reference.cjs';
import { readDocumentedFunctions } from '../support/docs/documented-functions';

const START = '<!-- functions -->\n';
const END = '\n<!-- /functions -->';

test('docs/sql.md lists the functions of the registry, and no other', () => {
  const text = readFileSync(join(__dirname, '../../docs/sql.md'), 'utf8');
  const reference = text.slice(text.indexOf(START) + START.length, text.indexOf(END));
  // scripts/generate/sql-functions.mjs writes it.
  expect(rowsOf(reference)).toEqual(rowsOf(functionReference(FUNCTION_FAMILIES, readDocumentedFunctions())));
});

test('every function has its types and an example, and no other name has', () => {
  const names = FUNCTION_FAMILIES.flatMap(({ functions }) => functions.map((spec) => spec.names[0]));
  expect(Object.keys(readDocumentedFunctions()).sort()).toEqual(names.sort());
});

/** Paragraphs and rows without their layout: the formatter lines up the columns of tables and wraps paragraphs. */
function rowsOf(text: string): readonly string[] {
  return text
    .split(/\n\n|\n(?=\|)/)
    .map((row) => row.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---').replace(/\s+/g, ' ').trim());
}
