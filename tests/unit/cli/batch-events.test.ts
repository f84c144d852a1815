import { batchEvents } from '#server/cli/import/batch-events';
import type { InputEvent } from '#server/cli/import/input/input';

const LIMITS = { maxEvents: 10, maxBytes: 1000, maxWaitMs: 5 };

function event(place: number): InputEvent {
  return { place, json: Buffer.from('{}') };
}

it('events of a slow program are a batch before the next one comes', async () => {
  let goOn: () => void = () => undefined;
  const isTaken = new Promise<void>((resolve) => (goOn = resolve));
  async function* pieces(): AsyncGenerator<readonly InputEvent[]> {
    yield [event(1)];
    yield [event(2)];
    await isTaken;
    yield [event(3)];
  }
  const places: (readonly number[])[] = [];
  for await (const batch of batchEvents(pieces(), LIMITS)) {
    places.push(batch.places);
    if (batch.places.includes(2)) goOn();
  }
  expect(places.flat()).toEqual([1, 2, 3]);
  expect(places.at(-1)).toEqual([3]);
});

it('events that come one by one wait no longer than a batch may', async () => {
  let isSent = false;
  async function* pieces(): AsyncGenerator<readonly InputEvent[]> {
    for (let place = 1; !isSent; place++) {
      yield [event(place)];
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  for await (const batch of batchEvents(pieces(), { ...LIMITS, maxEvents: 1_000_000, maxBytes: 1e9 })) {
    expect(batch.places[0]).toBe(1);
    isSent = true;
    break;
  }
  expect(isSent).toBe(true);
});

it('a pause without events makes no batch', async () => {
  async function* pieces(): AsyncGenerator<readonly InputEvent[]> {
    await new Promise((resolve) => setTimeout(resolve, 4 * LIMITS.maxWaitMs));
    yield [event(1)];
  }
  const places: (readonly number[])[] = [];
  for await (const batch of batchEvents(pieces(), LIMITS)) places.push(batch.places);
  expect(places).toEqual([[1]]);
});

it('a failure of the input is that of the batches, also after a pause', async () => {
  async function* pieces(): AsyncGenerator<readonly InputEvent[]> {
    yield [event(1)];
    await new Promise((resolve) => setTimeout(resolve, 4 * LIMITS.maxWaitMs));
    throw new Error('the input is damaged');
  }
  const batches = batchEvents(pieces(), LIMITS);
  expect((await batches.next()).value).toMatchObject({ places: [1] });
  await expect(batches.next()).rejects.toThrow('the input is damaged');
});
