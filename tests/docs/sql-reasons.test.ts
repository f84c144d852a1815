/** docs/sql.md lists all reasons of the SQL front end and of the store, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FAILURES } from '#compiler/output/run-failure';

const ROOT = join(__dirname, '..', '..');
const SOURCES = ['compiler', 'contract', 'server/stores/duckdb'].map((folder) => join(ROOT, folder));
/** How a reason is written where it is thrown. */
const WRITTEN = [
  /(?:failure|fail)\(\s*'([a-z_]+)'/g,
  /reason: '([a-z_]+)'/g,
  /facts\('([a-z_]+)'/g,
  /unreadable\('([a-z_]+)'/g,
  /^\s+'(bad_[a-z_]+|out_of_range|scalar_subquery|division_by_zero)',$/gm,
  /\[\/.*\/i?, '([a-z_]+)'/g,
];
/** LQL has a table of its own, in docs/lql.md. */
const ELSEWHERE = 'lql';
/** Reasons of opening the store, of ingestion, of backups and of seals, which no query meets. */
const OF_OTHERS = new Set([
  'in_use',
  'format_version',
  'unreadable',
  'data_folder_replaced',
  'day_dropped',
  'disk_full',
  'exports_running',
  'sealed_missing',
]);

function thrownReasons(): Set<string> {
  const reasons = new Set<string>(Object.keys(RUN_FAILURES));
  for (const folder of SOURCES) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.startsWith(ELSEWHERE)) continue;
      const text = readFileSync(join(folder, file), 'utf8');
      for (const pattern of WRITTEN) for (const [, reason] of text.matchAll(pattern)) reasons.add(reason as string);
    }
  }
  return new Set([...reasons].filter((reason) => !OF_OTHERS.has(reason)));
}

it('docs/sql.md lists exactly the reasons that the code uses', () => {
  const text = readFileSync(join(ROOT, 'docs', 'sql.md'), 'utf8');
  const table = text.slice(text.indexOf('<!-- reasons -->'), text.indexOf('<!-- /reasons -->'));
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((row) =>
    [...(row.split('|')[1] as string).matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
  );
  expect([...documented].sort()).toEqual([...thrownReasons()].sort());
});
