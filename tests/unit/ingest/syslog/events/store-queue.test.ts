import { type EntryBatch, MAX_BATCH_ENTRIES, StoreQueue } from '#server/ingest/syslog/events/store-queue';

interface Harness {
  readonly queue: StoreQueue;
  readonly attempts: EntryBatch[];
  readonly stored: string[];
  /** The next attempts fail. */
  fail(times: number): void;
  /** Batches with this line are refused. */
  refuse(line: string): void;
  readonly usedBytes: () => number;
}

function createQueue(maxBytes = 1_000_000): Harness {
  let used = 0;
  let failures = 0;
  let names = 0;
  let refused: string | null = null;
  const attempts: EntryBatch[] = [];
  const stored: string[] = [];
  const queue = new StoreQueue({
    memory: {
      add: (bytes) => {
        if (used + bytes > maxBytes) return false;
        used += bytes;
        return true;
      },
      subtract: (bytes) => void (used -= bytes),
    },
    store: async (batch) => {
      attempts.push(batch);
      await Promise.resolve();
      if (failures-- > 0) throw new Error('the store is away');
      const texts = batch.lines.map(String);
      if (refused !== null && texts.includes(refused)) return texts.length > 1 ? 'halve' : 'done';
      stored.push(...texts);
      return 'done';
    },
    nextName: () => `batch${names++}`,
    onDelay: () => undefined,
  });
  return {
    queue,
    attempts,
    stored,
    fail: (times) => void (failures = times),
    refuse: (line) => void (refused = line),
    usedBytes: () => used,
  };
}

const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at}`);

it('the queue stores what was added, in batches of bounded size, and gives the memory back', async () => {
  const { queue, stored, attempts, usedBytes } = createQueue();
  for (const line of lines(2500)) expect(queue.tryAdd(Buffer.from(line))).toBe(true);
  expect(queue.length).toBe(2500);
  await queue.drained();
  expect(stored.sort()).toEqual(lines(2500).sort());
  expect(attempts.every((batch) => batch.lines.length <= MAX_BATCH_ENTRIES)).toBe(true);
  expect({ length: queue.length, bytes: usedBytes() }).toEqual({ length: 0, bytes: 0 });
});

it('a batch is tried again with the same name, so that the store recognizes it', async () => {
  const { queue, stored, attempts, fail } = createQueue();
  fail(2);
  queue.tryAdd(Buffer.from('a'));
  await queue.drained();
  expect(stored).toEqual(['a']);
  expect(attempts.map(({ name }) => name)).toEqual(['batch0', 'batch0', 'batch0']);
});

it('everything but the one message that the store refuses is stored, each at its place in the batch', async () => {
  const { queue, stored, attempts, refuse, usedBytes } = createQueue();
  refuse('line 37');
  for (const line of lines(100)) queue.tryAdd(Buffer.from(line));
  await queue.drained();
  expect(stored.sort()).toEqual(
    lines(100)
      .filter((line) => line !== 'line 37')
      .sort()
  );
  for (const { lines: parts, name, firstIndex } of attempts)
    expect({ name, first: String(parts[0]) }).toEqual({ name: 'batch0', first: `line ${firstIndex}` });
  expect({ length: queue.length, bytes: usedBytes() }).toEqual({ length: 0, bytes: 0 });
});

it('the queue takes nothing beyond its memory, and says when there is room', async () => {
  const { queue, stored } = createQueue(400);
  const first = Buffer.alloc(100, 'x');
  expect([queue.tryAdd(first), queue.tryAdd(first)]).toEqual([true, false]);
  await queue.drained();
  await queue.room();
  expect(queue.tryAdd(first)).toBe(true);
  await queue.drained();
  expect(stored).toHaveLength(2);
});

it('a queue that gives up says how many messages are not stored', async () => {
  const { queue, stored, fail } = createQueue();
  fail(1000);
  for (const line of lines(3)) queue.tryAdd(Buffer.from(line));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(queue.giveUp()).toBe(3);
  await queue.drained();
  expect(stored).toEqual([]);
});
