import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ShipperTarget } from './shipper-target';
import { SHIPPERS } from './shippers';

const DOCUMENT = readFileSync(join(__dirname, '../../../../../docs/shippers.md'), 'utf8');
const QUICKSTART: ShipperTarget = {
  url: 'http://127.0.0.1:8080',
  source: 'edge_requests',
  project: 'acornharvestplatform',
  tenantField: 'project',
};
/** The SDK's example is of another source. */
const FUNCTIONS: ShipperTarget = {
  ...QUICKSTART,
  source: 'function_events',
  tenantField: 'metadata.project_ref',
};

/** First block of code of a section. */
function blockOf(section: string): string | undefined {
  const start = DOCUMENT.indexOf(`## ${section.replace('’', "'")}\n`);
  expect(start).toBeGreaterThan(0);
  return /```\w*\n([\s\S]*?)\n```/.exec(DOCUMENT.slice(start))?.[1];
}

test.each(SHIPPERS)('the set-up of $name is that of docs/shippers.md', ({ section, write }) => {
  expect(write(section === 'OpenTelemetry SDKs' ? FUNCTIONS : QUICKSTART)).toBe(blockOf(section));
});

test('docs/shippers.md has no other shipper', () => {
  const sections = [...DOCUMENT.matchAll(/^## (.+)\n+(?:(?!## )[^\n]*\n+){0,4}?```/gm)].map(([, title]) => title);
  const known = SHIPPERS.map(({ section }) => section.replace('’', "'"));
  expect(sections.filter((section) => !known.includes(section!))).toEqual([]);
});

const OTHER: ShipperTarget = {
  url: 'https://logs.example:8443',
  source: 'my source',
  project: 'a"b\'c $x',
  tenantField: 'metadata.tenant',
};

test.each(SHIPPERS)('$name gets the address, the source and the tenant of any service', ({ write }) => {
  const text = write(OTHER);
  expect(text).not.toMatch(/127\.0\.0\.1|8080|edge_requests|acornharvest/);
  expect(text).toContain('logs.example');
  expect(text).toContain('8443');
  expect(text).toMatch(/my(\+|%20| )source/);
  expect(write({ ...OTHER, tenantField: 'project' })).toMatch(/a(%22b%27c|\\"b)/);
  expect(write({ ...OTHER, tenantField: null })).not.toContain('a"b');
});
