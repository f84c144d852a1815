/** What the form of a source makes of texts and rows. */
// A test is not in the bundle.
// eslint-disable-next-line no-restricted-imports
import { sourceSchema } from '#contract/events/source';
import {
  checkFields,
  definitionOf,
  fieldsOfSource,
  flattenSource,
  NEW_SOURCE_FIELDS,
  refusedFields,
  type SourceDefinition,
  type SourceFields,
  sourcePatch,
  unflattenSource,
} from './source-fields';

const source = (definition: object): SourceDefinition => sourceSchema.parse({ name: 'app', ...definition });
const fields = (part: Partial<SourceFields>): SourceFields => ({ ...NEW_SOURCE_FIELDS, name: 'app', ...part });

const SHOP = source({
  description: 'Logs of the shop\n',
  retention_days: 30,
  tenant: 'project',
  columns: { project: 'STRING', code: 'INT64' },
  fields: { 'request.path': 'STRING', constructor: 'STRING', tags: 'ARRAY<STRING>' },
  aliases: ['the.shop'],
});

test('a name alone makes a source with the defaults of the service', () => {
  const definition = definitionOf(fields({}));
  expect(sourceSchema.parse(definition)).toEqual(source({}));
});

test.each([SHOP, source({}), source({ tenant: 'metadata.project_ref', fields: { project_ref: 'STRING' } })])(
  'a stored source comes back from its form as it was, and is no change: %j',
  (stored) => {
    expect(definitionOf(fieldsOfSource(stored))).toEqual(stored);
    expect(sourcePatch(stored, fieldsOfSource(stored))).toEqual({});
    expect(unflattenSource('app', flattenSource(stored))).toEqual(stored);
  }
);

test.each<[string, Partial<SourceFields>, object]>([
  ['a column', { tenantIn: 'column' }, { tenant: 'project', columns: { project: 'STRING' } }],
  [
    'a field, also when it is typed with "metadata."',
    { tenantIn: 'field', tenantField: 'metadata.project_ref' },
    { tenant: 'metadata.project_ref', fields: { project_ref: 'STRING' } },
  ],
])('what names the tenant is declared with it: %s', (_name, part, expected) => {
  expect(sourceSchema.parse(definitionOf(fields(part)))).toEqual(source(expected));
});

test('a patch has what was changed, null for what was removed, and never the name', () => {
  const start = fieldsOfSource(SHOP);
  const changed: SourceFields = {
    ...start,
    name: 'other',
    retention: '',
    tenantIn: 'nothing',
    columns: [{ name: 'project', type: 'STRING' }],
    fields: [...start.fields.filter(({ name }) => name !== 'constructor'), { name: 'ms', type: 'FLOAT64' }],
  };
  expect(sourcePatch(SHOP, changed)).toEqual({
    retention_days: null,
    tenant: null,
    columns: { code: null },
    fields: { constructor: null, ms: 'FLOAT64' },
  });
});

test('a text that is no number is sent as it is, for the service to refuse', () => {
  expect(sourcePatch(SHOP, { ...fieldsOfSource(SHOP), retention: ' a week ' })).toEqual({ retention_days: 'a week' });
});

test.each<[string, Partial<SourceFields>, string, string]>([
  ['a name with other letters', { name: 'My App!' }, 'name', 'did you mean "my_app"?'],
  ['a name of another source', { name: 'database' }, 'name', 'in use'],
  ['an alias of another source', { aliases: 'ok\nPostgres_Logs' }, 'aliases.1', 'in use'],
  ['a column with dots', { columns: [{ name: 'a.b', type: 'STRING' }] }, 'columns.a.b', 'small letters'],
  [
    'a field that is listed twice',
    {
      fields: [
        { name: 'ms', type: 'INT64' },
        { name: 'ms', type: 'STRING' },
      ],
    },
    'fields.ms',
    'twice',
  ],
  ['a tenant without its field', { tenantIn: 'field' }, 'tenant', 'Name the field'],
  ['a tenant without its column', { tenantIn: 'column', tenantColumn: '' }, 'tenant', 'column'],
])('is seen while typing: %s', (_name, part, path, reason) => {
  const found = checkFields(fields(part), ['database', 'postgres_logs']);
  expect(found.map((problem) => problem.path.join('.'))).toEqual([path]);
  expect(found[0]?.reason).toContain(reason);
});

test('a name that is not typed yet, and rows without a name, are no problem', () => {
  const empty = { name: '', type: 'STRING' } as const;
  expect(checkFields(fields({ name: '', columns: [empty, empty], fields: [empty, empty] }), [])).toEqual([]);
  expect(definitionOf(fields({ columns: [empty] }))['columns']).toEqual({});
});

test('what the service refuses is at its field, as a sentence', () => {
  const details = {
    problems: [
      { path: ['retention_days'], reason: 'retention_days: must be at least 1' },
      { path: ['columns', 'timestamp'], reason: 'the column name "timestamp" is reserved' },
      { position: { line: 1, column: 1 }, reason: 'no path' },
    ],
  };
  expect(refusedFields({ code: 'definition_invalid', message: '', details }, fields({}))).toEqual([
    { path: ['retention_days'], reason: 'Must be at least 1.' },
    { path: ['columns', 'timestamp'], reason: 'The column name "timestamp" is reserved.' },
  ]);
  const taken = (value: string) =>
    refusedFields(
      { code: 'name_taken', message: 'In use.', details: { field: 'name', value } },
      fields({ aliases: 'x\ny' })
    );
  expect([taken('app'), taken('y')]).toMatchObject([[{ path: ['name'] }], [{ path: ['aliases', 1] }]]);
});
