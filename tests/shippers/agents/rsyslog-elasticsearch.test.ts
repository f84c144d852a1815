/** rsyslog with omelasticsearch. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startChild } from '../support/child';
import { describeShipper } from '../support/describe-shipper';
import { documentedBlock, substitute } from '../support/documented';
import { followsFile } from '../support/log-file';
import { programOf } from '../support/programs';
import type { ShipperTarget } from '../support/shipper';

/** The sixth block below the heading of bulk requests. */
const BLOCK = 5;

async function start({ url, token, folder }: ShipperTarget) {
  const at = (name: string): string => path.join(folder, name);
  const config = substitute(documentedBlock('Bulk requests of Elasticsearch', BLOCK), {
    '/var/log/proxy/access.log': at('access.log'),
    'serverport="8080"': `serverport="${new URL(url).port}"`,
  });
  writeFileSync(at('access.log'), '');
  writeFileSync(at('rsyslog.conf'), `global(workDirectory="${folder}")\n${config}`);
  const args = ['-n', '-i', at('pid'), '-f', at('rsyslog.conf')];
  const child = startChild(programOf('RSYSLOG'), args, {
    cwd: folder,
    env: { ...process.env, LQE_TOKEN: token },
  });
  return Promise.resolve(followsFile(child, at('access.log')));
}

describeShipper({ name: 'rsyslog, omelasticsearch', identity: 'id', patienceMs: 60_000, start });
