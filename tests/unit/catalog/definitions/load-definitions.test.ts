import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefinitionsError } from '#server/catalog/definitions/definition-problem';
import { savedQueryJsonSchema } from '#server/catalog/definitions/json-schema';
import { describeFailures, loadDefinitions } from '#server/catalog/definitions/load-definitions';

const ENDPOINTS = join(__dirname, '../../../../endpoints');
const ID = '7d1a9fd0-0000-4000-8000-00000000000';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'lqe-endpoints-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);

/** `file:line:column: reason` without the folder. */
function problems(): readonly string[] {
  try {
    loadDefinitions(folder);
    return [];
  } catch (error) {
    if (!(error instanceof DefinitionsError)) throw error;
    return error.message.split('\n').map((line) => line.replace(`${folder}/`, ''));
  }
}

const definition = (digit: number, name: string, rest = 'query: select 1\n') =>
  `id: ${ID}${digit}\nname: ${name}\n${rest}`;

it('the saved queries of the project match the specification', () => {
  const loaded = loadDefinitions(ENDPOINTS).map((entry) => entry.definition);
  expect(loaded.map(({ name }) => name)).toEqual(['logs.all', 'usage.api-counts']);
  expect(loaded[0]).toMatchObject({
    max_rows: 1000,
    cache_seconds: null,
    warm_seconds: null,
    sandbox: true,
    redact_pii: false,
  });
  expect(loaded[1]).toMatchObject({
    max_rows: 1000,
    cache_seconds: 900,
    warm_seconds: 300,
    sandbox: true,
    redact_pii: false,
  });
  expect(loaded[0]!.parameters.map(({ name, required, type }) => [name, required, type])).toEqual([
    ['project', true, 'text'],
    ['iso_timestamp_start', false, 'text'],
    ['iso_timestamp_end', false, 'text'],
  ]);
  expect(loaded[1]!.parameters).toMatchObject([
    { name: 'interval', required: true, type: 'text', enum: ['minutely', 'hourly', 'daily'] },
    { name: 'project', required: true, type: 'text', format: 'regex' },
  ]);
});

it('the JSON Schema of saved queries is current, and each of them names it', () => {
  expect(readFileSync(join(ENDPOINTS, 'saved-query.schema.json'), 'utf8')).toBe(savedQueryJsonSchema());
  for (const name of ['logs.all', 'usage.api-counts'])
    expect(readFileSync(join(ENDPOINTS, `${name}.yaml`), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/saved-query\.schema\.json\n/
    );
});

it('files with other extensions are ignored', () => {
  write('a.yaml', definition(1, 'a'));
  write('b.yml', definition(2, 'b'));
  write('README.md', '# no');
  write('.hidden.yaml', '{');
  write('sources.yaml', 'sources: []');
  const loaded = loadDefinitions(folder, [join(folder, 'sources.yaml')]);
  expect(loaded.map((entry) => entry.definition.name)).toEqual(['a', 'b']);
});

it.each([
  ['broken YAML', 'id: x\nname: [a\n', /^f\.yaml:\d:\d: /],
  ['a tab', 'id: x\n\tname: a\n', /^f\.yaml:2:1: /],
  ['a key twice', definition(1, 'a', 'query: a\nquery: b\n'), /^f\.yaml:4:1: Map keys must be unique/],
  [
    'an unknown key',
    definition(1, 'a', 'query: a\nmax_row: 5\n'),
    /^f\.yaml:4:1: unknown key "max_row" — did you mean "max_rows"\?$/,
  ],
  [
    'an unknown key of a parameter',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    requierd: true\n'),
    /^f\.yaml:6:5: unknown key "requierd" — did you mean "required"\?$/,
  ],
  ['a wrong type', definition(1, 'a', 'query: a\nmax_rows: many\n'), /^f\.yaml:4:11: max_rows: must be a number/],
  ['a wrong name', definition(1, 'Upper'), /^f\.yaml:2:7: name: /],
  ['a missing query', definition(1, 'a', ''), /^f\.yaml:1:1: query: is missing$/],
  [
    'a reserved parameter',
    definition(1, 'a', 'query: a\nparameters:\n  - name: sql\n'),
    /^f\.yaml:5:11: "sql" is reserved/,
  ],
  [
    'a parameter twice',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n  - name: p\n'),
    /^f\.yaml:6:11: the parameter "p" is declared twice$/,
  ],
  [
    'a text that is not a pattern',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    pattern: "a("\n'),
    /^f\.yaml:6:14: invalid regular expression: missing closing/,
  ],
  [
    'a pattern that would take long to compile',
    definition(
      1,
      'a',
      'query: a\nparameters:\n  - name: p\n    pattern: "(?:\\\\pL{0,1000}){0,1}(?:\\\\pL{0,1000}){3}"\n'
    ),
    /^f\.yaml:6:14: a regular expression repeats too much$/,
  ],
  [
    'patterns that would together',
    definition(
      1,
      'a',
      `query: a\nparameters:\n${['p', 'q', 'r'].map((name) => `  - name: ${name}\n    pattern: ".{0,900}.{0,900}.{0,100}"\n`).join('')}`
    ),
    /^f\.yaml:10:14: the regular expressions of the parameters are too large together$/,
  ],
  [
    'a default outside the enum',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    enum: [x]\n    default: y\n'),
    /^f\.yaml:7:14: "y" is not one of the enum$/,
  ],
  [
    'a tenant that is no text',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    tenant: true\n    type: integer\n'),
    /^f\.yaml:6:13: a tenant is a text of type "text" without a format$/,
  ],
  [
    'a tenant that is a pattern',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    tenant: true\n    format: regex\n'),
    /^f\.yaml:6:13: a tenant is a text of type "text" without a format$/,
  ],
  [
    'a tenant with a default',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    tenant: true\n    default: x\n'),
    /^f\.yaml:7:14: a tenant has no default/,
  ],
  [
    'a text that cannot be a tenant',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    tenant: false\n'),
    /^f\.yaml:6:13: parameters\[0\]\.tenant: /,
  ],
  [
    'values of a saved query that is not there',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    values: { query: projets.list }\n'),
    /^f\.yaml:6:13: there is no saved query "projets\.list"$/,
  ],
  [
    'values by SQL of a saved query without a sandbox',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    values: { query: a, sql: select 1 }\n'),
    /^f\.yaml:6:13: "a" takes no SQL: it has no sandbox$/,
  ],
  [
    'values with a parameter that is not declared',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    values: { query: a, parameters: { pp: x } }\n'),
    /^f\.yaml:6:13: "a" has no parameter "pp" — did you mean "p"\?$/,
  ],
  [
    'values without a parameter that is required',
    definition(1, 'a', 'query: a\nparameters:\n  - name: p\n    required: true\n    values: { query: a }\n'),
    /^f\.yaml:7:13: "a" needs the parameter "p"$/,
  ],
  ['an alias', 'a: &x [1]\nb: *x\n', /^f\.yaml:1:1: /],
  ['an empty file', '', /^f\.yaml:1:1: the file is empty|^f\.yaml:1:1: must be an object/],
  ['a list', '- 1\n', /^f\.yaml:1:1: must be an object/],
  ['two documents', `${definition(1, 'a')}---\n${definition(2, 'b')}`, /^f\.yaml:4:1: /],
])('%s is reported with its position', (_what, text, expected) => {
  write('f.yaml', text);
  const found = problems();
  expect(found[0]).toMatch(expected);
});

it('bytes that are not UTF-8 are refused', () => {
  write('f.yaml', Buffer.from([0x69, 0x64, 0x3a, 0xff]));
  expect(problems()).toEqual(['f.yaml:1:1: is not valid UTF-8']);
});

it('all problems of all files are reported at once', () => {
  write('a.yaml', definition(1, 'same'));
  write('b.yaml', definition(2, 'same'));
  write('c.yaml', definition(1, 'c'));
  write('d.yaml', 'id: 5\nname: 6\n');
  expect(problems()).toEqual([
    'd.yaml:1:5: id: must be a text, not a number',
    'd.yaml:2:7: name: must be a text, not a number',
    'd.yaml:1:1: query: is missing',
    `c.yaml:1:5: id "${ID}1" is used by a.yaml already`,
    'b.yaml:2:7: name "same" is used by a.yaml already',
  ]);
});

it('a missing folder is reported by its name', () => {
  expect(() => loadDefinitions(join(folder, 'none'))).toThrow(/none:1:1: the folder of saved queries does not exist$/);
});

describe('a position in the query text', () => {
  const placeOf = (text: string, line: number, column: number): string => {
    write('f.yaml', text);
    const loaded = loadDefinitions(folder);
    const [problem] = describeFailures(loaded, [
      {
        endpointId: loaded[0]!.definition.id,
        error: {
          code: 'query_invalid',
          message: 'unknown column "x"',
          details: { position: { line, column }, hint: 'did you mean "y"?' },
        },
      },
    ]);
    expect(problem!.reason).toBe('unknown column "x" (did you mean "y"?)');
    const lines = text.split('\n');
    return lines[problem!.line - 1]!.slice(problem!.column - 1);
  };

  it('is found in a literal block', () => {
    const text = definition(1, 'a', 'query: |\n  select\n    x\n  from t\n');
    expect(placeOf(text, 2, 3)).toBe('x');
    expect(placeOf(text, 3, 6)).toBe('t');
  });

  it('is found after blank lines, comments, chomping and an explicit indent', () => {
    expect(placeOf(definition(1, 'a', 'query: |-  # text\n\n    select 1,\n      x\n'), 3, 3)).toBe('x');
    expect(placeOf(definition(1, 'a', 'query: |2\n    select\n   x\n'), 2, 2)).toBe('x');
  });

  it('is the start of the value in other YAML styles', () => {
    expect(placeOf(definition(1, 'a', 'query: "select x"\n'), 1, 8)).toBe('"select x"');
    expect(placeOf(definition(1, 'a', 'query: >\n  select\n  x\n'), 1, 8)).toBe('>');
  });
});
