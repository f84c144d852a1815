/** syslog-ng with its http() destination, and the three ways of docs/shippers.md to recognize retries. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startChild } from '../support/child';
import { describeShipper, TRICKLE, WHOLE_BATCHES } from '../support/describe-shipper';
import { documentedBlock, DOCUMENTED_URL, substitute } from '../support/documented';
import { followsFile } from '../support/log-file';
import { programOf } from '../support/programs';
import type { Shipper, ShipperTarget } from '../support/shipper';

const SECTION = 'syslog-ng';

/** @param edits of the documented configuration */
const start =
  (edits: Readonly<Record<string, string>>) =>
  async ({ url, token, folder }: ShipperTarget) => {
    const at = (name: string): string => path.join(folder, name);
    const documented = substitute(documentedBlock(SECTION), edits);
    const config = substitute(documented, { [DOCUMENTED_URL]: url, '/var/log/proxy/access.log': at('access.log') });
    writeFileSync(at('syslog-ng.conf'), `@version: current\n${config}`);
    writeFileSync(at('access.log'), '');
    const files = ['-f', at('syslog-ng.conf'), '-R', at('persist'), '-p', at('pid'), '-c', at('control')];
    const child = startChild(programOf('SYSLOG_NG'), ['-F', '-e', '--no-caps', ...files], {
      cwd: folder,
      env: { ...process.env, LQE_TOKEN: token },
    });
    await child.says(/starting up/);
    return followsFile(child, at('access.log'));
  };

const shippers: Shipper[] = [
  { name: 'syslog-ng, an id for each event', identity: 'id', patienceMs: 60_000, start: start({}) },
  {
    name: 'syslog-ng, six digits',
    identity: 'distinctive',
    patienceMs: 60_000,
    start: start({ 'id=${UNIQID} ': '', 'use-uniqid(yes)': 'frac-digits(6)' }),
  },
  {
    name: 'syslog-ng, whole seconds',
    identity: 'ambiguous',
    patienceMs: 60_000,
    start: start({ 'id=${UNIQID} ': '', 'use-uniqid(yes)': 'frac-digits(0)' }),
  },
];

describe.each(shippers)('$name', (shipper) => describeShipper(shipper, WHOLE_BATCHES));

// After a failure syslog-ng fills up the batch with newer messages: only the id identifies the older ones.
describe('lines that arrive slowly', () =>
  describeShipper({ ...shippers[0]!, name: `${shippers[0]!.name}, trickle` }, TRICKLE));
