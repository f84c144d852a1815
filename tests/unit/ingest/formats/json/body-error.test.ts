/** Positions of syntax errors in bodies. */
import fc from 'fast-check';
import { MAX_ENTRY_BYTES } from '#contract/events/source';
import { JsonSyntaxError } from '#server/common/json/json-lexer';
import { asBodyError } from '#server/ingest/formats/json/body-error';
import { readOtlpJson } from '#server/ingest/formats/otlp/read-json';

function last<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

it('the position is the line, and the column in UTF-16 units', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '😀', '\ufeff') });
  fc.assert(
    fc.property(text, fc.string(), (before, after) => {
      const lines = before.split('\n');
      const error = last(asBodyError(new JsonSyntaxError('x', Buffer.byteLength(before)), Buffer.from(before + after)));
      expect(error).toMatchObject({
        code: 'body_invalid',
        details: { position: { line: lines.length, column: lines.at(-1)!.length + 1 } },
      });
    })
  );
});

it('other errors stay what they are', () => {
  const error = new Error('x');
  expect(last(asBodyError(error, Buffer.from('')))).toBe(error);
});

it('a name that is longer than an entry may be is refused where it begins', () => {
  const read = (bytes: number) => () =>
    last(readOtlpJson(Buffer.from(`{"resourceLogs":[],\n"${'k'.repeat(bytes)}":1}`), 10));
  expect(read(MAX_ENTRY_BYTES - 3)).not.toThrow();
  expect(read(MAX_ENTRY_BYTES)).toThrow(
    expect.objectContaining({
      message: `The request body is not the expected JSON: a key is longer than ${MAX_ENTRY_BYTES} bytes.`,
      details: { reason: 'bad_json', position: { line: 2, column: 1 } },
    }) as Error
  );
});
