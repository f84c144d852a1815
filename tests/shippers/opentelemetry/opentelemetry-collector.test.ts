/** The OpenTelemetry Collector, built from tests/shippers/opentelemetry/collector. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '../support/child';
import { describeShipper } from '../support/describe-shipper';
import { documentedBlock, DOCUMENTED_URL, substitute } from '../support/documented';
import { followsFile } from '../support/log-file';
import { programOf } from '../support/programs';

/** A file that is there at the first look for files, 200 ms after the start, would be read from its end. */
const FIRST_POLL_MS = 1_000;

describeShipper({
  name: 'OpenTelemetry Collector',
  identity: 'distinctive',
  patienceMs: 60_000,
  start: async ({ url, token, folder }) => {
    const config = path.join(folder, 'collector.yaml');
    const documented = documentedBlock('OpenTelemetry Collector');
    writeFileSync(
      config,
      substitute(documented, { [DOCUMENTED_URL]: url, '/var/log/proxy/*.log': path.join(folder, '*.log') })
    );
    const child = startChild(programOf('COLLECTOR'), ['--config', config], {
      env: { ...process.env, LQE_TOKEN: token },
    });
    await child.says(/Everything is ready/);
    await delay(FIRST_POLL_MS);
    return followsFile(child, path.join(folder, 'proxy.log'));
  },
});
