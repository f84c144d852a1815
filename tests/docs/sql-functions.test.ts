import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTION_FAMILIES } from '#compiler/functions/catalog';
import { functionReference } from '../../scripts/docs/function-reference.cjs';

const START = '<!-- functions -->\n';
const END = '\n<!-- /functions -->';

test('docs/sql.md lists the functions of the registry, and no other', () => {
  const text = readFileSync(join(__dirname, '../../docs/sql.md'), 'utf8');
  const reference = text.slice(text.indexOf(START) + START.length, text.indexOf(END));
  expect(withoutLayout(reference)).toBe(withoutLayout(functionReference(FUNCTION_FAMILIES)));
});

/** The formatter lines up the columns of tables and wraps paragraphs. */
function withoutLayout(text: string): string {
  return text.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---').replace(/\s+/g, ' ').trim();
}
