/** Loggers for Java, with their configuration files of docs/shippers.md. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startChild } from '../support/child';
import { readsInput } from '../support/client';
import { describeShipper, FEW } from '../support/describe-shipper';
import { documentedBlock, DOCUMENTED_URL, substitute } from '../support/documented';
import { programOf } from '../support/programs';
import type { Shipper } from '../support/shipper';

const SOURCE = path.join(__dirname, 'java', 'Send.java');

interface Logger extends Pick<Shipper, 'identity' | 'isLossy'> {
  /** Heading of its section, and its class path. */
  readonly name: 'log4j2' | 'logback';
  /** Property of Java that names the configuration file. */
  readonly property: string;
}

const logger = ({ name, property, ...facts }: Logger): Shipper => ({
  name,
  ...facts,
  patienceMs: 60_000,
  start: ({ url, token, folder }) => {
    const file = path.join(folder, `${name}.xml`);
    writeFileSync(file, substitute(documentedBlock(name), { [DOCUMENTED_URL]: url }));
    const classPath = path.join(programOf('JAVA_CLIENTS'), name, '*');
    const args = [`-D${property}=${file}`, '-cp', classPath, SOURCE];
    return readsInput(startChild('java', args, { env: { ...process.env, LQE_TOKEN: token } }));
  },
});

const log4j2 = logger({ name: 'log4j2', property: 'log4j2.configurationFile', identity: 'id', isLossy: true });
const logback = logger({
  name: 'logback',
  property: 'logback.configurationFile',
  identity: 'distinctive',
  isLossy: true,
});

describe('log4j2', () => describeShipper(log4j2, FEW));
describe('logback', () => describeShipper(logback));
