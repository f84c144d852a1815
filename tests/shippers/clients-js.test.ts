/** Loggers and clients for JavaScript, the packages of tests/shippers/clients-js. */
import path from 'node:path';
import { startClient } from './support/client';
import { describeShipper } from './support/describe-shipper';
import type { Shipper } from './support/shipper';

const SCRIPT = path.join(__dirname, 'clients-js', 'send.mjs');

const client = (name: string, facts: Pick<Shipper, 'identity' | 'isLossy'>): Shipper => ({
  name,
  ...facts,
  patienceMs: 60_000,
  start: (target) => startClient([process.execPath, SCRIPT, name], target),
});

const clients = [
  client('elasticsearch', { identity: 'distinctive' }),
  client('winston-elasticsearch', { identity: 'ambiguous' }),
  client('pino-elasticsearch', { identity: 'distinctive', isLossy: true }),
  client('splunk-logging', { identity: 'distinctive' }),
];

describe.each(clients)('$name', (shipper) => describeShipper(shipper));
