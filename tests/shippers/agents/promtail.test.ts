/** Promtail, built from tests/shippers/agents/promtail. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { startChild } from '../support/child';
import { describeShipper } from '../support/describe-shipper';
import { documentedBlock, DOCUMENTED_URL, substitute } from '../support/documented';
import { followsFile } from '../support/log-file';
import { programOf } from '../support/programs';
import type { ShipperTarget } from '../support/shipper';

async function start({ url, token, folder }: ShipperTarget) {
  const at = (name: string): string => path.join(folder, name);
  // This version does not read the environment yet.
  const places = { [DOCUMENTED_URL]: url, '${LQE_TOKEN}': token };
  const documented = substitute(documentedBlock('Alloy and Promtail', 1), places);
  const config = {
    ...(parse(documented) as object),
    server: { http_listen_port: 0, grpc_listen_port: 0 },
    positions: { filename: at('positions.yaml') },
    scrape_configs: [
      { job_name: 'proxy', static_configs: [{ targets: ['localhost'], labels: { __path__: at('*.log') } }] },
    ],
  };
  writeFileSync(at('promtail.yaml'), stringify(config));
  writeFileSync(at('proxy.log'), '');
  const child = startChild(programOf('PROMTAIL'), ['-config.file', at('promtail.yaml')]);
  await child.says(/start tailing file|tail routine: started/);
  return followsFile(child, at('proxy.log'));
}

describeShipper({ name: 'Promtail', identity: 'distinctive', patienceMs: 60_000, start });
