/** Clients for Python, the packages of tests/shippers/clients/python. */
import path from 'node:path';
import { startClient } from '../support/client';
import { describeShipper, FEW } from '../support/describe-shipper';
import { documentedBlock, DOCUMENTED_URL, substitute } from '../support/documented';
import { programOf } from '../support/programs';
import type { Shipper } from '../support/shipper';

const SCRIPT = path.join(__dirname, 'python', 'send.py');

const documented = documentedBlock('Python logging');

const client = (module: string, facts: Pick<Shipper, 'name' | 'identity' | 'isLossy'>): Shipper => ({
  ...facts,
  patienceMs: 60_000,
  start: (target) =>
    startClient(
      [programOf('PYTHON_CLIENTS'), SCRIPT, module],
      target,
      substitute(documented, { [DOCUMENTED_URL]: target.url })
    ),
});

const clients = [
  client('documented', { name: 'Python logging', identity: 'id' }),
  client('elasticsearch', { name: 'elasticsearch for Python', identity: 'id' }),
  client('splunk_handler', { name: 'splunk_handler', identity: 'distinctive' }),
];
const loki = client('logging_loki', { name: 'python-logging-loki', identity: 'distinctive', isLossy: true });

describe.each(clients)('$name', (shipper) => describeShipper(shipper));
describe(loki.name, () => describeShipper(loki, FEW));
