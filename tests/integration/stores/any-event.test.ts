/** Whatever JSON an event holds, it is stored: the text comes back equal, and typed columns hold what the text says. */
import fc from 'fast-check';
import type { CatalogField } from '#server/compiler/catalog';
import { openFixture, type StoreFixture, TODAY } from './store-fixture';

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await openFixture();
});

afterEach(() => fixture.remove());

/** Few keys, so that values of every kind meet at the same paths; some are hard to name in SQL. */
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'A', 'b', 'a.b', '', '1') },
  { weight: 2, arbitrary: fc.constantFrom(`q"'`, '/~', '$[*]', '__proto__', 'é', 'select', '"; DROP TABLE x; --') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) }
);

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, '1', 'true', '2026-11-20', 2 ** 53 + 2, 1e300)
);

const { record } = fc.letrec<{ record: unknown; value: unknown }>((tie) => ({
  record: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: tie('record') },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(tie('record'), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 2 }) }
  ),
}));

it.each(['in one batch', 'in batches that come at once'])(
  'any metadata is stored and read back, %s',
  async (how) => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), async (records) => {
        const from = serial;
        const events = records.map((value) => {
          const text = JSON.stringify(value).replaceAll('\\u0000', '');
          return `{"id":"${serial}","timestamp":${1795132800 + serial++},"metadata":${text}}`;
        });
        const batches = how === 'in one batch' ? [events.join('\n')] : events;
        const results = await Promise.all(batches.map((batch) => fixture.ingest(batch)));
        expect(results.reduce((sum, { accepted, duplicates }) => sum + accepted - duplicates, 0)).toBe(events.length);
        const leaves = textLeaves(fixture.source().metadata);
        const names = leaves.map(({ column }) => `, "${column}"`).join('');
        const rows = await fixture.read(
          `SELECT metadata_json${names} FROM "${TODAY}" WHERE "timestamp" >= make_timestamp($1) ORDER BY "timestamp"`,
          ['RECORD_TEXT', ...leaves.map(() => 'STRING' as const)],
          [{ type: 'INT64', value: BigInt(1795132800 + from) * 1_000_000n }]
        );
        events.forEach((event, row) => {
          const sent = (JSON.parse(event) as { metadata: unknown }).metadata;
          expect(unwrapped(JSON.parse(String(rows.columns[0]![row])))).toEqual(unwrapped(sent));
          leaves.forEach(({ path }, i) => {
            const value = valueAt(sent, path);
            if (typeof value === 'string') expect(rows.columns[i + 1]![row]).toBe(value);
          });
        });
      }),
      { numRuns: how === 'in one batch' ? 150 : 50 }
    );
  },
  120_000
);

/** Columns of texts: every text that stands at their path must be in them. */
function textLeaves(field: CatalogField, path: readonly string[] = []): { path: readonly string[]; column: string }[] {
  if (field.kind === 'leaf')
    return field.type === 'STRING' && field.column !== null ? [{ path, column: field.column }] : [];
  if (field.kind !== 'record') return [];
  return [...field.fields].flatMap(([name, child]) => textLeaves(child, [...path, name]));
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  const isWrapped = Array.isArray(value) && value.length === 1;
  const at: unknown = isWrapped ? value[0] : value;
  if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name)) return undefined;
  return valueAt((at as Record<string, unknown>)[name], rest);
}

function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isWrapped = value.length === 1 && typeof value[0] === 'object' && value[0] !== null;
    return isWrapped && !Array.isArray(value[0]) ? unwrapped(value[0]) : value.map(unwrapped);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unwrapped(item)]));
}
