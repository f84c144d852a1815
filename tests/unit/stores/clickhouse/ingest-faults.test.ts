import { ServiceError } from '#contract/errors';
import { IngestFaults } from '#server/stores/clickhouse/write/ingest-faults';

const refused = (reason: string): ServiceError => new ServiceError('backend_unavailable', 'refused', { reason });
let faults: IngestFaults;
let nowMs: number;
beforeEach(() => {
  faults = new IngestFaults();
  nowMs = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => jest.restoreAllMocks());

it('a refused batch is a fault until a batch of its source is stored', () => {
  faults.note('edge', refused('disk_full'));
  faults.clear('auth');
  expect(faults.current).toBe('disk_full');
  faults.clear('edge');
  expect(faults.current).toBeNull();
});

it('a fault ends after a minute without a batch', () => {
  faults.note('edge', refused('unreachable'));
  nowMs += 59_000;
  expect(faults.current).toBe('other');
  nowMs += 1000;
  expect(faults.current).toBeNull();
});

it('a fault with a name comes before one without', () => {
  faults.note('edge', refused('rights'));
  faults.note('auth', refused('memory'));
  expect(faults.current).toBe('memory');
});

it('invalid batches and full queues are no fault of the store', () => {
  faults.note('edge', new ServiceError('body_invalid', 'invalid'));
  faults.note('edge', new ServiceError('concurrency_limited', 'full', { reason: 'ingest_pressure' }));
  expect(faults.current).toBeNull();
});
