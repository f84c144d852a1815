/** Results of any shape: column types, and rows of values of these types. */
import fc from 'fast-check';
import type { OutputColumn, OutputType } from '#compiler/output/compiled-query';
import type { StoreValue } from '#server/stores/store-value';
import type { TestResult } from '../cases/results';

const scalarType: fc.Arbitrary<OutputType> = fc.oneof(
  fc
    .constantFrom('STRING', 'BYTES', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'DATETIME', 'DATE', 'TIME', 'INTERVAL')
    .map((kind) => ({ kind })),
  fc.boolean().map((single): OutputType => ({ kind: 'RECORD_TEXT', single }))
);

const { type: anyType } = fc.letrec<{ type: OutputType; fields: readonly OutputColumn[] }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalarType,
    tie('type').map((element): OutputType => ({ kind: 'ARRAY', element })),
    tie('fields').map((fields): OutputType => ({ kind: 'STRUCT', fields }))
  ),
  fields: fc
    .uniqueArray(fc.string(), { minLength: 1, maxLength: 3 })
    .chain((names): fc.Arbitrary<readonly OutputColumn[]> =>
      fc.tuple(...names.map((name) => tie('type').map((type) => ({ name, type, typeName: type.kind }))))
    ),
}));

export const anyColumns: fc.Arbitrary<readonly OutputColumn[]> = fc
  .uniqueArray(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((name) => anyType.map((type) => ({ name, type, typeName: type.kind })))));

export const anyResult: fc.Arbitrary<TestResult> = anyColumns.chain((fields) =>
  fc.array(fc.tuple(...fields.map(({ type }) => valueOf(type))), { maxLength: 5 }).map((rows) => ({ fields, rows }))
);

/** A record as ingest writes it: an object of any depth. */
export const anyRecordText: fc.Arbitrary<string> = fc
  .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 })
  .map((record) => JSON.stringify(record));

function valueOf(type: OutputType): fc.Arbitrary<StoreValue> {
  return fc.option(presentValue(type), { freq: 6 });
}

function presentValue(type: OutputType): fc.Arbitrary<StoreValue> {
  switch (type.kind) {
    case 'STRING':
      return fc.string({ unit: 'binary' });
    case 'BYTES':
      return fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'INT64':
      return fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -9n, max: 9n }));
    case 'FLOAT64':
      return fc.double();
    case 'BOOL':
      return fc.boolean();
    case 'TIMESTAMP':
    case 'DATETIME':
      // Years 0 to 9999, for which the language itself has a text to compare with.
      return fc.bigInt({ min: -62_167_219_200_000_000n, max: 253_402_300_799_999_999n });
    case 'DATE':
      return fc.integer({ min: -719_528, max: 2_932_896 });
    case 'TIME':
      return fc.nat(86_399_999).map((millis) => new Date(millis).toISOString().slice(11, 23));
    case 'INTERVAL':
      return fc.tuple(fc.nat(99), fc.nat(11), fc.nat(999), fc.nat(9999)).map((parts) => intervalText(...parts));
    case 'JSON':
      return fc.json();
    case 'RECORD_TEXT':
      return anyRecordText;
    case 'ARRAY':
      return fc.array(valueOf(type.element), { maxLength: 4 });
    case 'STRUCT':
      return fc.tuple(...type.fields.map((field) => valueOf(field.type)));
  }
}

/** As GoogleSQL writes it. */
function intervalText(years: number, months: number, days: number, hours: number): string {
  return `${years}-${months} ${days} ${hours}:0:0`;
}
