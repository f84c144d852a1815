/** Loggers and clients for JavaScript, the packages of tests/shippers/clients/js. */
import path from 'node:path';
import { startClient } from '../support/client';
import { describeShipper } from '../support/describe-shipper';
import { documentedBlock, DOCUMENTED_URL, substitute } from '../support/documented';
import type { Shipper } from '../support/shipper';

const SCRIPT = path.join(__dirname, 'js', 'send.mjs');

interface Client extends Pick<Shipper, 'identity' | 'isLossy'> {
  /** Its code, as docs/shippers.md prints it for the address there. */
  readonly documented?: string;
}

const client = (name: string, { documented, ...facts }: Client): Shipper => ({
  name,
  ...facts,
  patienceMs: 60_000,
  start: (target) =>
    startClient(
      [process.execPath, SCRIPT, name],
      target,
      documented && substitute(documented, { [DOCUMENTED_URL]: target.url })
    ),
});

const documentedLoki = (nth: number): string => documentedBlock('pino and winston', nth);
/** A line of pino is an object with a time: only its text can be compared with what was logged. */
const PINO_LOKI = substitute(documentedLoki(0), { 'labels:': "logFormat: '{msg}', labels:" });

const clients = [
  client('elasticsearch', { identity: 'distinctive' }),
  client('winston-elasticsearch', { identity: 'ambiguous' }),
  client('pino-elasticsearch', { identity: 'distinctive', isLossy: true }),
  client('pino-loki', { identity: 'distinctive', isLossy: true, documented: PINO_LOKI }),
  client('winston-loki', { identity: 'ambiguous', documented: documentedLoki(1) }),
  client('splunk-logging', { identity: 'distinctive' }),
];

describe.each(clients)('$name', (shipper) => describeShipper(shipper));
