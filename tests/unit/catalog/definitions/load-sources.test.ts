/** `sources.yaml`: the file of the repository, and invalid files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tenantPlaceOf } from '#contract/events/source';
import { DefinitionsError } from '#server/catalog/definitions/definition-problem';
import { loadSources } from '#server/catalog/definitions/load-sources';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-sources-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Line, column and reason of each problem. */
function problemsOf(text: string | Buffer): string[] {
  const file = join(folder, 'sources.yaml');
  writeFileSync(file, text);
  try {
    loadSources(file);
    return [];
  } catch (error) {
    if (!(error instanceof DefinitionsError)) throw error;
    expect(error.message).toContain(`${file}:`);
    return error.problems.map(({ line, column, reason }) => `${line}:${column} ${reason}`);
  }
}

describe('the sources of the repository', () => {
  const sources = loadSources(join(__dirname, '../../../../sources.yaml'));

  it('are nine, with their aliases and the place of the project', () => {
    const facts = sources.map(({ name, aliases, columns, fields }) => [
      name,
      aliases[0],
      'project' in columns ? 'column' : Object.keys(fields).find((path) => path.startsWith('project')),
    ]);
    expect(facts).toEqual([
      ['edge_requests', 'cloudflare.logs.prod', 'column'],
      ['database', 'postgres.logs', 'column'],
      ['function_relay', 'deno-relay-logs', 'project_ref'],
      ['function_events', 'deno-subhosting-events', 'project_ref'],
      ['auth_service', 'gotrue.logs.prod', 'column'],
      ['realtime_service', 'realtime.logs.prod', 'project'],
      ['storage_service', 'storage.logs.prod.2', 'project'],
      ['rest_gateway', 'postgREST.logs.prod', 'column'],
      ['connection_pooler', 'pgbouncer.logs.prod', 'column'],
    ]);
  });
});

it('each source of the repository says where its events name their tenant', () => {
  const sources = loadSources(join(__dirname, '../../../../sources.yaml'));
  expect(Object.fromEntries(sources.map(({ name, tenant }) => [name, tenant]))).toEqual({
    edge_requests: 'project',
    database: 'project',
    function_relay: 'metadata.project_ref',
    function_events: 'metadata.project_ref',
    auth_service: 'project',
    realtime_service: 'metadata.project',
    storage_service: 'metadata.project',
    rest_gateway: 'project',
    connection_pooler: 'project',
  });
});

describe('a file of sources', () => {
  it('gets defaults for what it leaves out', () => {
    const file = join(folder, 'sources.yaml');
    writeFileSync(file, 'sources:\n  - name: a\n');
    expect(loadSources(file)).toEqual([
      {
        name: 'a',
        aliases: [],
        description: '',
        retention_days: 90,
        columns: {},
        fields: {},
        tenant: null,
        tenant_optional: false,
      },
    ]);
  });

  it.each([
    ['sources: [', /^1:\d+ /],
    ['sources: []', /^1:10 sources: must have at least 1 item/],
    ['sources:\n  - nam: a\n', /^2:\d+ /],
    [
      'sources:\n  - name: a\n    retention_day: 5\n',
      '3:5 unknown key "retention_day" — did you mean "retention_days"?',
    ],
    ['sources:\n  - name: A\n', /^2:11 sources\[0\]\.name: /],
    ['sources:\n  - name: a\n    columns:\n      project: TEXT\n', /^4:16 sources\[0\]\.columns\.project: /],
    ['sources:\n  - name: a\n    columns:\n      message: STRING\n', '4:7 the column name "message" is reserved'],
    ['sources:\n  - name: a\n  - name: a\n', '3:11 the name "a" is used by source "a" already'],
    [
      'sources:\n  - name: a\n    aliases: [b.c]\n  - name: b\n    aliases: [B.c]\n',
      '5:15 the name "B.c" is used by source "a" already',
    ],
    ['sources:\n  - name: a\n    id: a040ae88\n', /^3:9 sources\[0\]\.id: /],
    [
      'sources:\n  - name: a\n    id: A040AE88-3e27-448b-9ee6-622278b23193\n  - name: b\n    id: a040ae88-3e27-448b-9ee6-622278b23193\n',
      '5:9 the name "a040ae88-3e27-448b-9ee6-622278b23193" is used by source "a" already',
    ],
    ['sources:\n  - name: a\n    fields:\n      a..b: STRING\n', '4:7 the path "a..b" has an empty part'],
    [
      'sources:\n  - name: a\n    fields:\n      a: STRING\n      a.b: STRING\n',
      '5:7 "a" has a value of its own, so "a.b" cannot be below it',
    ],
    [Buffer.from([0xff, 0xfe]), '1:1 is not valid UTF-8'],
    ['sources:\n  - name: a\n    tenant: project\n', '3:13 "project" is not an own column of the source'],
    [
      'sources:\n  - name: a\n    tenant: n\n    columns:\n      n: INT64\n',
      '3:13 the column "n" must be of type STRING',
    ],
    ['sources:\n  - name: a\n    tenant: metadata.ref\n', '3:13 "ref" must be declared in "fields" with type STRING'],
    [
      'sources:\n  - name: a\n    tenant: metadata.a.b\n    fields:\n      a.b: ARRAY<STRING>\n',
      '3:13 "a.b" must be declared in "fields" with type STRING',
    ],
    ['sources:\n  - name: a\n    tenant: metadata\n', '3:13 "metadata" is not an own column of the source'],
    ['sources:\n  - name: a\n    tenant: metadata.a..b\n', /^3:13 sources\[0\]\.tenant: /],
    ['sources:\n  - name: a\n    tenant: ""\n', /^3:13 sources\[0\]\.tenant: /],
    ['sources:\n  - name: a\n    tenant_optional: maybe\n', /^3:22 sources\[0\]\.tenant_optional: /],
  ])('is refused with file, line and reason: %j', (text, expected) => {
    const problems = problemsOf(text);
    if (typeof expected === 'string') expect(problems.join('\n')).toContain(expected);
    else expect(problems[0]).toMatch(expected);
  });

  it('may have its tenant in a column of its own or in a field of metadata', () => {
    const file = join(folder, 'sources.yaml');
    writeFileSync(
      file,
      [
        'sources:',
        '  - { name: a, tenant: project, columns: { project: STRING } }',
        '  - { name: b, tenant: metadata.project.ref, tenant_optional: true, fields: { project.ref: STRING } }',
        '  - { name: c }',
      ].join('\n')
    );
    const found = loadSources(file);
    expect(found.map(tenantPlaceOf)).toEqual([{ column: 'project' }, { path: ['project', 'ref'] }, null]);
    expect(found.map(({ tenant_optional }) => tenant_optional)).toEqual([false, true, false]);
  });

  it('must exist', () => {
    expect(() => loadSources(join(folder, 'none.yaml'))).toThrow('the file of sources does not exist');
  });

  it('may declare lists of records with fields below them', () => {
    expect(
      problemsOf('sources:\n  - name: a\n    fields:\n      items: ARRAY<STRUCT>\n      items.a: STRING\n')
    ).toEqual([]);
  });
});
