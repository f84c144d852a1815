/** Short texts that would become huge statements are refused quickly, before a store sees them. */
import { ServiceError } from '#contract/errors';
import { openFixtureStore, readDefinition, runCase } from '../support/query-cases';
import type { OpenStore } from '../support/store-under-test';

const logsAll = readDefinition('logs.all');
let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

function repeat(times: number, start: string, step: (inner: string) => string): string {
  let text = start;
  for (let i = 0; i < times; i += 1) text = step(text);
  return text;
}

/** `with a0 as (first), a1 as (next(a0)), ...` and then `last`. */
function chain(length: number, first: string, next: (before: string) => string, last: string): string {
  const steps = Array.from({ length }, (_, index) => `a${index + 1} as (${next(`a${index}`)})`);
  return `with a0 as (${first}), ${steps.join(', ')} ${last}`;
}

const TEXTS: Readonly<Record<string, string>> = {
  'the operand of nested CASE': `select ${repeat(50, 'id', (x) => `case ${x} when 'a' then 'b' when 'c' then 'd' end`)} x from auth_logs`,
  'a column doubled through derived tables': `${repeat(25, 'select id as x from auth_logs', (q) => `select concat(x, x) as x from (${q})`)} limit 1`,
  'a condition doubled through derived tables': repeat(
    25,
    "select id = 'a' as x from auth_logs",
    (q) => `select x = x as x from (${q})`
  ),
  'a column doubled through WITH': chain(
    18,
    'select id from auth_logs',
    (a) => `select concat(id, id) as id from ${a}`,
    'select id from a18'
  ),
  'a struct doubled through WITH': chain(
    18,
    'select struct(id as s) as s from auth_logs',
    (a) => `select struct(s as a, s as b) as s from ${a}`,
    'select s from a18'
  ),
  'a text doubled by REPLACE': `select ${repeat(12, 'id', (x) => `replace(${x}, '1', '11111111')`)} x from auth_logs`,
};

it.each(Object.entries(TEXTS))('%s', async (_name, sql) => {
  const error = await runCase(fixture.store, logsAll, { name: 'blow-up', sql }).then(
    () => undefined,
    (thrown: unknown) => thrown
  );
  expect(error).toBeInstanceOf(ServiceError);
  expect(['query_too_complex', 'query_invalid', 'resource_limit']).toContain((error as ServiceError).code);
});

it('a long list and a long chain are no blow-up', async () => {
  const list = Array.from({ length: 1000 }, (_, index) => `'x${index}'`).join(', ');
  const long = Array.from({ length: 400 }, () => "id != 'x'").join(' and ');
  const { bytes } = await runCase(fixture.store, logsAll, {
    name: 'long',
    sql: `select id from auth_logs where id in (${list}) or (${long}) order by id limit 1`,
  });
  expect(Buffer.from(bytes).toString()).toBe('{"result":[{"id":"a1"}]}');
});
