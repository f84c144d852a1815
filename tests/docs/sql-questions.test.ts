import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..', '..');

test('the queries of docs/sql.md under "Ten questions" are those that run in the suite', () => {
  const page = readFileSync(join(ROOT, 'docs', 'sql.md'), 'utf8');
  const section = page.slice(page.indexOf('<!-- questions -->'), page.indexOf('<!-- /questions -->'));
  const shown = [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql);
  const path = join(ROOT, 'tests', 'corpus', 'sql', 'queries', 'analyst.yaml');
  const run = (parse(readFileSync(path, 'utf8')) as { readonly sql: string }[]).map(({ sql }) => sql);
  expect(shown).toEqual(run);
});
