/** What the form of a source says about stored events. */
import { changeWarnings } from './change-warnings';
import { fieldsOfSource, type SourceDefinition, type SourceFields } from './source-fields';

const STORED: SourceDefinition = {
  name: 'app',
  aliases: [],
  description: '',
  retention_days: 120,
  columns: {},
  tenant: null,
  tenant_optional: false,
  fields: {},
};
const NOW = Date.parse('2026-03-31T00:00:00Z');
const EVENTS = { events: 5, oldest_event: '2026-03-01T00:00:00.000000Z' };
const warn = (part: Partial<SourceFields>, listed: Parameters<typeof changeWarnings>[2] = EVENTS) =>
  changeWarnings(STORED, { ...fieldsOfSource(STORED), ...part }, listed, NOW);

test.each([
  ['7', /older than 7 days will be deleted.* The oldest is of /],
  ['1', /older than 1 day will be/],
  ['100', /no event is older/],
  ['', /older than 90 days will be deleted/],
])('fewer days ("%s") delete events', (retention, expected) => {
  expect(warn({ retention }).retention).toMatch(expected);
});

test.each(['120', '200', '0', 'x'])(
  'as many days or more, and what is no number of days, delete none: "%s"',
  (days) => {
    expect(warn({ retention: days })).toEqual({ retention: null, tenant: null });
  }
);

test('a source without events has none to delete; figures that are not known say nothing about them', () => {
  expect(warn({ retention: '7', tenantIn: 'column' }, { events: 0, oldest_event: null })).toEqual({
    retention: null,
    tenant: null,
  });
  expect(changeWarnings(STORED, { ...fieldsOfSource(STORED), retention: '7' }, undefined, NOW).retention).toBe(
    'Events older than 7 days will be deleted, and cannot be brought back.'
  );
});

test('another place of the tenant says what stored events belong to', () => {
  expect(warn({ tenantIn: 'column' }).tenant).toContain('belong to no tenant');
});
