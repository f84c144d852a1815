/**
 * Bodies of JSON, split into slices: nothing is lost between them, and forms are distinguished as the stores read them.
 */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES } from '#contract/events/source';
import { isFineTime } from '#server/ingest/formats/events/fine-time';
import { splitBody, type SplitBody } from '#server/ingest/formats/json/split-body';

function split(body: string | Buffer, maxEntries = 100_000): SplitBody {
  const work = splitBody(Buffer.from(body), maxEntries);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Entries of all slices with their indexes. */
function entriesOf({ slices }: SplitBody): [number, string][] {
  return slices.flatMap(({ form, bytes, firstIndex }) => {
    const text = bytes.toString('utf8');
    const entries =
      form === 'items'
        ? (JSON.parse(`[${text}]`) as unknown[]).map((value) => JSON.stringify(value))
        : text
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '');
    return entries.map((entry, i): [number, string] => [firstIndex + i, entry]);
  });
}

const event = fc
  .record({ id: fc.string(), n: fc.integer(), text: fc.string({ unit: 'binary', maxLength: 3000 }) })
  .map((value) => JSON.stringify(value));

it('each entry is in exactly one slice, in every form of body', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 2, maxLength: 2500, size: 'large' }), fc.boolean(), (events, isSpaced) => {
      const expected = events.map((entry, i) => [i, entry]);
      const blank = isSpaced ? ' \r\n' : '';
      expect(entriesOf(split(`\ufeff${events.join(`${blank}\n`)}\n`))).toEqual(expected);
      expect(entriesOf(split(`[${blank}${events.join(`,${blank}`)}]`))).toEqual(expected);
      expect(entriesOf(split(`{"batch" :[${events.join(`${blank},`)}${blank}]}`))).toEqual(expected);
    }),
    { numRuns: 20 }
  );
});

it.each([
  ['one object', '{"a":1}', [[0, '{"a":1}']]],
  ['one object over several lines', '{\n"a":\n1\n}', [[0, '{"a":1}']]],
  ['an empty array', '[]', []],
  ['an empty batch', '{"batch":[]}', []],
  ['a batch that names its source first', '{"source":"s","batch":[{"a":1},2]}', [[0, '{"a":1}'], [1, '2']]], // prettier-ignore
  ['a batch that names its source last', '{ "batch" : [ 1 ] , "source_name" : "s" } ', [[0, '1']]],
  ['an empty batch with all names of its source', '{"batch":[],"source":1,"source_name":{},"collection_name":[]}', []],
  ['an event that names its source', '{"source":"s","a":1}', [[0, '{"source":"s","a":1}']]],
  ['an event of nothing but its source', '{"source":"s"}', [[0, '{"source":"s"}']]],
  ['an event with two batches', '{"batch":[1],"batch":[2]}', [[0, '{"batch":[2]}']]],
  ['an event with a batch that is no array', '{"source":"s","batch":{}}', [[0, '{"source":"s","batch":{}}']]],
  ['lines, the first of which is a broken batch', '{"batch":[1],"x\n{"b":1}', [[0, '{"batch":[1],"x'], [1, '{"b":1}']]], // prettier-ignore
  ['lines that name a source', '{"source":"s"}\n{"source":"t"}', [[0, '{"source":"s"}'], [1, '{"source":"t"}']]], // prettier-ignore
  ['an event with a field of the name batch', '{"batch":[1],"a":1}', [[0, '{"batch":[1],"a":1}']]],
  ['lines, the first of which is broken', '{"a":\n{"b":1}', [[0, '{"a":'], [1, '{"b":1}']]], // prettier-ignore
  ['blank lines between', '\n\n{"a":1}\n \n{"b":1}\n\n', [[0, '{"a":1}'], [1, '{"b":1}']]], // prettier-ignore
])('the body is split: %s', (_, body, expected) => {
  expect(entriesOf(split(body))).toEqual(expected);
});

it.each([
  ['', 'body_invalid'],
  [' \n ', 'body_invalid'],
  ['[{"a":1}', 'body_invalid'],
  ['[{"a":1},]', 'body_invalid'],
  ['[{"a":1}] x', 'body_invalid'],
  ['{"batch":[{"a":1}', 'body_invalid'],
  ['{"batch":[]} {}', 'body_invalid'],
  ['5', 'body_invalid'],
  ['{"a":1', 'body_invalid'],
])('the body %j is refused', (body, code) => {
  expect(() => split(body)).toThrow(expect.objectContaining({ code }) as Error);
});

it('a broken array is refused with the position of the error', () => {
  expect(() => split('[\n{"a":1},\n{"b" 1}]')).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({ position: { line: 3, column: 6 } }) as unknown,
    }) as Error
  );
});

it.each(['lines', 'array'])('too many entries are counted and refused, as %s', (form) => {
  const entries = Array.from({ length: 2500 }, () => '{}');
  const body = form === 'lines' ? entries.join('\n') : `[${entries.join(',')}]`;
  try {
    split(body, 2000);
    throw new Error('not refused');
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'body_too_large', details: { max_events: 2000, events: 2500 } });
  }
});

describe('an entry that is too long', () => {
  const long = `{"a":"${'x\\"}'.repeat(MAX_ENTRY_BYTES / 4)}"}`;

  it.each([
    ['in lines', `{"n":0}\n${long}\n{"n":2}`],
    ['in an array', `[{"n":0},${long},{"n":2}]`],
    ['in a batch', `{"batch":[{"n":0},${long},{"n":2}]}`],
  ])('is reported %s, and its neighbors are kept', (_, body) => {
    const found = split(body);
    expect([found.count, found.oversized]).toEqual([3, [1]]);
    expect(entriesOf(found)).toEqual([
      [0, '{"n":0}'],
      [2, '{"n":2}'],
    ]);
  });

  it.each([
    ['lines', (entry: string) => `{"a":1}\n${entry}\n{"b":2}`],
    ['an array', (entry: string) => `[{"a":1},${entry},{"b":2}]`],
  ])('does not hide its fraction of a second after a large value, in %s', (_, around) => {
    const entry = `{"text":"${'x'.repeat(MAX_ENTRY_BYTES)}","timestamp":"2026-11-20T10:00:00.123Z"}`;
    expect(split(around(entry))).toMatchObject({ count: 3, oversized: [1] });
  });

  it('is reported when it is the only one', () => {
    expect(split(long)).toMatchObject({ count: 1, oversized: [0], slices: [] });
  });
});

describe('a time with a fraction of a second', () => {
  it.each([
    ['2026-11-20T10:00:00.5Z', true],
    ['2026-11-20T10:00:00,000001Z', true],
    ['2026-11-20T10:00:00.000Z', false],
    ['2026-11-20T10:00:00Z', false],
    ['1795172400', false],
    ['1795172400.25', true],
    ['1795172400000', false],
    ['1795172400001', true],
    ['1795172400000001', true],
    ['1795172400000000000', false],
    ['1795172400000000001', true],
    ['1795172400000.0', false],
    ['1795172400001.0', true],
    ['1.7951724e9', false],
    ['1.7951724005e+9', true],
    ['1.795172400001E12', true],
    ['never', false],
    ['', false],
  ])('is recognized in %s: %s', (text, expected) => {
    expect(isFineTime(text)).toBe(expected);
  });

  it('is recognized at any distance from the times before it', () => {
    const coarse = '{"timestamp":"2026-11-20T10:00:00Z"}\n';
    for (const bytes of [262_100, 262_120, 262_130, 262_140, 262_150, 524_270, 524_290]) {
      const body = `${coarse}{"text":"${'x'.repeat(bytes)}"}\n`;
      expect(split(`${body}{"timestamp":"2026-11-20T10:00:00.5Z"}`).hasFineTime).toBe(true);
      expect(split(`${body}${coarse}`).hasFineTime).toBe(false);
    }
  });

  it.each([
    ['{"timestamp":"2026-11-20T10:00:00.5Z"}', true],
    ['[{}, {"timestamp" : 1795172400.25}]', true],
    ['{"a":1}\n{"b":1,"timestamp":"2026-11-20T10:00:00.5Z"}', true],
    ['{"timestamp":"2026-11-20T10:00:00Z"}', false],
    ['{"metadata":{"timestamp":"2026-11-20T10:00:00.5Z"}}', false],
    ['{"metadata":{"timestamp":"2026-11-20T10:00:00.5Z"},"timestamp":"2026-11-20T10:00:00Z"}', false],
    ['{"message":"\\"timestamp\\":1795172400.25"}', false],
    ['{}\n{}', false],
  ])('is recognized in the body %s: %s', (body, expected) => {
    expect(split(body).hasFineTime).toBe(expected);
  });
});
