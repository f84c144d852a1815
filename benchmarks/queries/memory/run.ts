/** Reads the resident memory of a service that has just been asked the questions. */
import type { Dataset } from '../../support/dataset';
import { residentBytes } from '../../support/processes';
import { megabytes, type Row } from '../../support/report';
import type { Service } from '../../support/service';
import { MEMORY_BAR_BYTES } from '../../support/settings';

export function measureMemory(service: Service, dataset: Dataset): Row {
  const server = residentBytes(service.serverPid);
  const engine = residentBytes(service.enginePid);
  const total = server + engine;
  return {
    what: 'memory of server and engine',
    size: `${dataset.events / 1e6} M`,
    against: '',
    measured: megabytes(total),
    p95: '',
    bar: megabytes(MEMORY_BAR_BYTES),
    isWithin: total < MEMORY_BAR_BYTES,
    detail: `server ${megabytes(server)}, engine ${megabytes(engine)}`,
    figures: { serverBytes: server, engineBytes: engine },
  };
}
