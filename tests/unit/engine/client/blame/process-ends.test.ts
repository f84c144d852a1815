import type { ServiceError } from '#contract/errors';
import { createProcessEnds, type WorkKind } from '#server/engine/client/blame/process-ends';

const MINUTE = 60_000;
let now: number;

beforeEach(() => {
  now = 0;
});

const create = () => createProcessEnds(MINUTE, () => now);

function refusalOf(ends: ReturnType<typeof create>, owner: string, kind: WorkKind = 'text'): ServiceError | null {
  try {
    ends.ensureAllowed(owner, kind);
    return null;
  } catch (error) {
    return error as ServiceError;
  }
}

test('two crashes within a minute make the texts of a token refused for a minute', () => {
  const ends = create();
  expect(ends.add('a', 'text')).toBe(1);
  expect(refusalOf(ends, 'a')).toBeNull();
  now = 59_000;
  expect(ends.add('a', 'text')).toBe(2);
  now = 60_500;
  expect(refusalOf(ends, 'a')).toMatchObject({
    code: 'rate_limited',
    status: 429,
    details: { reason: 'engine_ended', retry_after_seconds: 59, hint: expect.stringContaining('Simplify') as string },
  });
  now = 59_000 + MINUTE;
  expect(refusalOf(ends, 'a')).toBeNull();
});

test('two crashes more than a minute apart refuse nothing', () => {
  const ends = create();
  ends.add('a', 'text');
  now = MINUTE;
  expect(ends.add('a', 'text')).toBe(1);
  expect(refusalOf(ends, 'a')).toBeNull();
});

test('other tokens, and other work of the same token, are not refused', () => {
  const ends = create();
  ends.add('a', 'text');
  ends.add('a', 'text');
  ends.add('a', 'batch');
  expect(refusalOf(ends, 'b')).toBeNull();
  expect(refusalOf(ends, 'a', 'batch')).toBeNull();
  expect(refusalOf(ends, 'a')).not.toBeNull();
});

test('the number of tokens in memory is bounded', () => {
  const ends = create();
  for (let index = 0; index <= 10_000; index += 1) {
    ends.add(String(index), 'text');
    ends.add(String(index), 'text');
  }
  expect(refusalOf(ends, '0')).toBeNull();
  expect(refusalOf(ends, '1')).not.toBeNull();
});
