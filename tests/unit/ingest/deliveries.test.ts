/** Retries of bodies that equal one another. */
import { Deliveries } from '#server/ingest/deliveries';
import { identifyBody } from '#server/ingest/identify-body';

let now = 0;
let deliveries: Deliveries;
beforeEach(() => {
  now = 1;
  deliveries = new Deliveries(() => now);
});

it('an equal body after an acknowledgment is a new delivery', () => {
  const first = deliveries.begin('heartbeat');
  first.end(true);
  expect(deliveries.begin('heartbeat').name).not.toBe(first.name);
});

it('an equal body beside one in progress is a new delivery', () => {
  expect(deliveries.begin('heartbeat').name).not.toBe(deliveries.begin('heartbeat').name);
});

it('an equal body after a broken connection is a retry, once', () => {
  const first = deliveries.begin('heartbeat');
  first.end(false);
  first.end(true);
  const retry = deliveries.begin('heartbeat');
  expect(retry.name).toBe(first.name);
  expect(deliveries.begin('heartbeat').name).not.toBe(first.name);
  retry.end(true);
  expect(deliveries.begin('heartbeat').name).not.toBe(first.name);
});

it('several broken deliveries of one body may each be retried once', () => {
  const broken = [1, 2, 3].map(() => deliveries.begin('heartbeat'));
  for (const delivery of broken) delivery.end(false);
  const retries = [1, 2, 3].map(() => deliveries.begin('heartbeat').name);
  expect(retries.sort()).toEqual(broken.map(({ name }) => name).sort());
});

it('a retry is recognized for ten minutes', () => {
  const first = deliveries.begin('heartbeat');
  first.end(false);
  now += 10 * 60_000 + 1;
  expect(deliveries.begin('heartbeat').name).not.toBe(first.name);
});

it('names of deliveries differ between servers and between starts of one server', () => {
  expect(deliveries.begin('heartbeat').name).not.toBe(new Deliveries(() => now).begin('heartbeat').name);
});

describe('the identity of a body', () => {
  const facts = {
    source: 'edge_requests',
    tenant: { confinedTo: null, given: null },
    digest: Buffer.alloc(32, 1),
    hasFineTime: true,
    idempotencyKey: null,
  };
  const baseOf = (other: Partial<typeof facts> | Record<string, unknown> = {}): string =>
    identifyBody({ ...facts, ...other }, deliveries).base;

  it('is the same for each delivery with a time finer than a second, or with an Idempotency-Key', () => {
    expect(baseOf()).toBe(baseOf());
    const keyed = { hasFineTime: false, idempotencyKey: 'k' };
    expect(baseOf(keyed)).toBe(baseOf(keyed));
  });

  it('is new for each delivery otherwise, once the former one was acknowledged', () => {
    expect(baseOf({ hasFineTime: false })).not.toBe(baseOf({ hasFineTime: false }));
  });

  it('depends on source, tenant, bytes and key', () => {
    const others = [
      {},
      { source: 'database' },
      { digest: Buffer.alloc(32, 2) },
      { tenant: { confinedTo: 'acme', given: null } },
      { tenant: { confinedTo: null, given: 'acme' } },
      { idempotencyKey: 'k' },
      { idempotencyKey: 'l' },
      { idempotencyKey: 'k', digest: Buffer.alloc(32, 2) },
    ];
    expect(new Set(others.map(baseOf)).size).toBe(others.length);
  });
});
