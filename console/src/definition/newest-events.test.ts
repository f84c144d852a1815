import { newestEvents } from './newest-events';
import { readText } from './definition-text';

const column = (name: string) => ({ name, type: 'STRING' });
const COMMON = ['id', 'timestamp', 'event_message', 'metadata'].map(column);

const fieldsOf = (tenant: string | null, own: readonly string[] = []) =>
  readText(newestEvents({ name: 'app', tenant, columns: [...COMMON, ...own.map(column)] })).fields!;

test.each([
  ['project', 't.project = @project', 'project'],
  ['metadata.org.id', 't.metadata[0].org[0].id = @id', 'id'],
  ['metadata.my-org', 't.metadata[0].`my-org` = @tenant', 'tenant'],
])('the tenant %s is a condition and a required parameter', (tenant, condition, parameter) => {
  const { query, parameters } = fieldsOf(tenant, ['project']);
  expect(query).toContain(condition);
  expect(parameters).toContainEqual(expect.objectContaining({ name: parameter, required: true, tenant: true }));
});

test('a source without tenants has the time range alone, and its own columns', () => {
  const { query, parameters } = fieldsOf(null, ['code', 'select']);
  expect(query).toContain('SELECT t.id, t.timestamp, t.event_message, t.metadata, t.code, t.select\n');
  expect((parameters as Array<{ name: string }>).map(({ name }) => name)).toEqual([
    'iso_timestamp_start',
    'iso_timestamp_end',
  ]);
});
