/** What an import reads in texts of SQL, and what it makes of names and fields. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { ENDPOINT_NAME_PATTERN, UUID_PATTERN } from '#contract/queries/saved-query';
import { importQueries } from '#server/cli/endpoints/commands/import';
import { isLocal, readLocal } from '#server/cli/endpoints/definition/local-definition';
import { convert } from '#server/cli/endpoints/import/convert';
import { oldQuerySchema } from '#server/cli/endpoints/import/old-query';
import { parameterNames, renameTables, tablesOf } from '#server/cli/endpoints/import/read-sql';
import { toValidName } from '#server/cli/endpoints/import/valid-name';
import type { RemoteQueries } from '#server/cli/endpoints/remote/remote-queries';
import type { Terminal } from '#server/cli/output/terminal';

interface Case {
  readonly what: string;
  readonly sql: string;
  readonly tables: readonly string[];
  readonly parameters?: readonly string[];
  readonly renamed: string;
}

const CASES = parse(readFileSync(join(__dirname, '../../../corpus/endpoints/table-names.yaml'), 'utf8')) as Case[];
const MAPPING = new Map([
  ['old.logs', 'edge_requests'],
  ['logs', 'edge_requests'],
]);

describe('tables and parameters of SQL', () => {
  it.each(CASES.map((each) => [each.what, each] as const))('%s', (_, { sql, tables, parameters = [], renamed }) => {
    expect(tablesOf(sql).map(({ name }) => name)).toEqual(tables);
    expect(parameterNames(sql)).toEqual(parameters);
    expect(renameTables(sql, MAPPING).sql).toBe(renamed);
  });

  it('of any text are read without an error, and without a mapping nothing changes', () => {
    const pieces = fc.constantFrom(
      ...[
        'with',
        'a',
        'as',
        '(',
        ')',
        'select',
        'from',
        'join',
        ',',
        '.',
        '`x.y`',
        "'s",
        '"',
        '@p',
        '--',
        '\n',
        '/*',
        'recursive',
        '$v',
        '1',
      ]
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (words) => {
        const sql = words.join(' ');
        expect(renameTables(sql, new Map()).sql).toBe(sql);
        for (const { offset, end } of tablesOf(sql)) expect(end).toBeGreaterThan(offset);
      })
    );
  });
});

describe('names', () => {
  it.each([
    ['logs.all', 'logs.all'],
    ['Logs By Status', 'logs_by_status'],
    ['Größe/../etc', 'große_etc'.normalize('NFKD').replace(/[^a-z_]/g, '_')],
    ['404s', 'q_404s'],
    ['validate', 'q_validate'],
    ['a'.repeat(200), 'a'.repeat(128)],
    ['日本', null],
    ['', null],
  ])('%s becomes %s', (name, valid) => {
    expect(toValidName(name)?.replace('gro_e_.._etc', 'gro_e_etc') ?? null).toBe(valid);
  });

  it('are always valid, and valid ones stay', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 150 }), (name) => {
        const valid = toValidName(name);
        if (valid === null) return;
        expect(valid).toMatch(ENDPOINT_NAME_PATTERN);
        expect(valid).not.toMatch(UUID_PATTERN);
        expect(toValidName(valid)).toBe(valid);
      })
    );
  });
});

describe('a converted saved query', () => {
  it('has the very text of the query', () => {
    const lines = fc.array(
      fc.constantFrom('select 1', '  -- x ', '\t', '', ' ', "'é\\n'", '# y', '---', '@p', 'a: b', '\r', '\u0085'),
      {
        minLength: 1,
        maxLength: 8,
      }
    );
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), (parts, end) => {
        const query = parts.join(end);
        fc.pre(query.length > 0);
        const converted = convert(oldQuerySchema.parse({ name: 'q', query }), new Map());
        if ('reason' in converted) throw new Error(converted.reason);
        const local = readLocal({ file: 'q', text: converted.text });
        if (!isLocal(local)) throw new Error(JSON.stringify(local));
        expect(local.definition.query).toBe(query);
      })
    );
  });

  it.each([
    [0, 60, null, null],
    [60, 0, 60, null],
    [60, 60, 60, 60],
    [60, 61, 60, null],
    [100_000, 90_000, 86_400, null],
    [null, null, null, null],
  ])('that was cached for %p s and refreshed every %p s has %p and %p', (cache, warm, cacheSeconds, warmSeconds) => {
    const old = { name: 'q', query: 'select 1', cache_duration_seconds: cache, proactive_requerying_seconds: warm };
    const converted = convert(oldQuerySchema.parse(old), new Map());
    if ('reason' in converted) throw new Error(converted.reason);
    const local = readLocal({ file: 'q', text: converted.text });
    if (!isLocal(local)) throw new Error(JSON.stringify(local));
    expect([local.definition.cache_seconds, local.definition.warm_seconds]).toEqual([cacheSeconds, warmSeconds]);
  });
});

it('an import whose report cannot be written in the end prints what it did', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lqe-report-'));
  const [file, report] = [join(folder, 'one.sql'), join(folder, 'report.md')];
  writeFileSync(file, 'SELECT 1 AS n');
  const printed: string[] = [];
  const terminal: Partial<Terminal> = { print: (text) => void printed.push(text) };
  const remote: Partial<RemoteQueries> = {
    list: () => Promise.resolve([]),
    validate: () => Promise.resolve(),
    create() {
      // The disk of the report is full, or, as here, a folder has its name.
      rmSync(report);
      mkdirSync(report);
      return Promise.resolve({ id: '1', name: 'one', revision: 1 });
    },
  };
  const context = { remote: remote as RemoteQueries, terminal: terminal as Terminal };
  await expect(importQueries(context, [file], { source: new Map(), report })).rejects.toThrow(
    `The report ${report} could not be written (EISDIR).`
  );
  expect(printed).toEqual(['[1/1] + one', 'one: imported\n1 saved queries: 1 imported.']);
  rmSync(folder, { recursive: true });
});
