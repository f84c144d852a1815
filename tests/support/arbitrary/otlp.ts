/** OTLP requests of every shape, in OTLP-JSON. */
import fc from 'fast-check';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    'a',
    'a.b',
    'a.b.c',
    'level',
    'resource',
    'scope.name',
    'project',
    '__proto__',
    'constructor',
    '"\\\n'
  )
);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const nanos = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })).map(String);
const hex = (bytes: number) =>
  fc.oneof(
    fc.constant(''),
    fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => Buffer.from(all).toString('hex'))
  );

const { value } = fc.letrec<{ value: object; pair: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ stringValue: text }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: int64 }),
    fc.record({ doubleValue: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    fc.record({ bytesValue: fc.uint8Array({ maxLength: 5 }).map((all) => Buffer.from(all).toString('base64')) }),
    fc.constant({}),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('value'), { maxLength: 3 }) }) }),
    fc.record({ kvlistValue: fc.record({ values: fc.array(tie('pair'), { maxLength: 3 }) }) })
  ),
  pair: fc.record({ key: text, value: tie('value') }),
}));

const attributes = fc.array(fc.record({ key: text, value }), { maxLength: 5 });

const record = fc.record(
  {
    timeUnixNano: nanos,
    observedTimeUnixNano: nanos,
    severityNumber: fc.integer({ min: 0, max: 30 }),
    severityText: text,
    body: value,
    attributes,
    droppedAttributesCount: fc.nat(),
    flags: fc.nat(),
    traceId: hex(16),
    spanId: hex(8),
    eventName: text,
  },
  { requiredKeys: [] }
);

export const anyOtlpRequest = fc.record({
  resourceLogs: fc.array(
    fc.record(
      {
        resource: fc.record({ attributes }),
        scopeLogs: fc.array(
          fc.record(
            {
              scope: fc.record({ name: text, version: text, attributes }),
              logRecords: fc.array(record, { maxLength: 3 }),
            },
            { requiredKeys: [] }
          ),
          { maxLength: 2 }
        ),
        schemaUrl: text,
      },
      { requiredKeys: [] }
    ),
    { maxLength: 3 }
  ),
});
