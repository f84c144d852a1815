/** Clients for Python, the packages of tests/shippers/clients-python. */
import path from 'node:path';
import { startClient } from './support/client';
import { describeShipper } from './support/describe-shipper';
import { programOf } from './support/programs';
import type { Shipper } from './support/shipper';

const SCRIPT = path.join(__dirname, 'clients-python', 'send.py');

const client = (module: string, facts: Pick<Shipper, 'name' | 'identity' | 'isLossy'>): Shipper => ({
  ...facts,
  patienceMs: 60_000,
  start: (target) => startClient([programOf('PYTHON_CLIENTS'), SCRIPT, module], target),
});

const clients = [
  client('elasticsearch', { name: 'elasticsearch for Python', identity: 'id' }),
  client('splunk_handler', { name: 'splunk_handler', identity: 'distinctive', isLossy: true }),
  client('logging_loki', { name: 'python-logging-loki', identity: 'distinctive', isLossy: true }),
];

describe.each(clients)('$name', (shipper) => describeShipper(shipper));
