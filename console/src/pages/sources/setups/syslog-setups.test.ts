import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ShipperTarget } from './shipper-target';
import { SYSLOG_SETUPS } from './syslog-setups';

const DOCUMENT = readFileSync(join(__dirname, '../../../../../docs/shippers.md'), 'utf8');
const QUICKSTART: ShipperTarget = {
  url: 'http://127.0.0.1:8080',
  source: 'edge_requests',
  project: 'acornharvestplatform',
  tenantField: 'project',
};
const OTHER: ShipperTarget = {
  url: 'https://logs.example:8443',
  source: 'my source',
  project: 'a"b\'c: #x',
  tenantField: 'metadata.tenant',
};
const [LISTENER, ...SENDERS] = SYSLOG_SETUPS;

/** First block of code of a subsection. */
function blockOf(section: string): string | undefined {
  const start = DOCUMENT.indexOf(`\n### ${section}\n`);
  expect(start).toBeGreaterThan(0);
  return /```\w*\n([\s\S]*?)\n```/.exec(DOCUMENT.slice(start))?.[1];
}

test.each(SYSLOG_SETUPS)('$name is that of docs/shippers.md', ({ section, write }) => {
  expect(write(QUICKSTART)).toBe(blockOf(section));
});

test('the listener stores in any source, for any tenant', () => {
  const read = (target: ShipperTarget): unknown => parse(LISTENER!.write(target));
  expect(read(OTHER)).toMatchObject({ listeners: [{ source: OTHER.source, tenant: OTHER.project }] });
  expect(LISTENER!.write({ ...OTHER, tenantField: null })).not.toContain('tenant');
  expect(LISTENER!.note).toContain('LQE_SYSLOG_FILE');
});

test.each(SENDERS)('$name sends to the address of any service', ({ write }) => {
  expect(write(OTHER)).toContain('"logs.example"');
  expect(write({ ...OTHER, url: 'http://[::1]:8080' })).toContain('"::1"');
});
