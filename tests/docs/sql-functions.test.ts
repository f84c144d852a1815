import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionTables } from '../support/docs/function-tables';

const START = '<!-- functions -->\n';
const END = '\n<!-- /functions -->';

test('docs/sql.md lists the functions of the registry, and no other', () => {
  const text = readFileSync(join(__dirname, '../../docs/sql.md'), 'utf8');
  const tables = text.slice(text.indexOf(START) + START.length, text.indexOf(END));
  expect(withoutPadding(tables)).toBe(withoutPadding(functionTables()));
});

/** The formatter lines up the columns of tables. */
function withoutPadding(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---'))
    .join('\n')
    .trim();
}
