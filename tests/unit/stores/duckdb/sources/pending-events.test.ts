/** Events that wait for their commit, against a set of all of them. */
import fc from 'fast-check';
import { PendingEvents } from '#server/stores/duckdb/sources/pending-events';
import type { EventRow } from '#server/stores/ingest/event/event-row';
import { type EventMark, KnownEvents } from '#server/stores/ingest/event/known-events';

const DAY_MICROS = 86_400_000_000;

function rowOf(id: string, micros: number, hasOwnTime: boolean): EventRow {
  const metadata = { buffer: Buffer.from('{}'), metadataStart: 0, metadataEnd: 2, columnsText: null };
  return { index: 0, id, tenant: null, micros, hasOwnTime, message: null, own: [], ...metadata };
}

const row = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat({ max: 4 }), fc.boolean())
  .map(([id, halfDay, hasOwnTime]) => rowOf(id, (halfDay * DAY_MICROS) / 2, hasOwnTime));
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), rows: fc.array(row, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat({ max: 5 }) }),
  fc.record({ kind: fc.constant('ask' as const), rows: fc.array(row, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('clear' as const) })
);

test('the same events are found as in a set of all events, after any steps', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const pending = new PendingEvents();
      let all: (readonly EventMark[])[] = [];
      for (const one of steps) {
        if (one.kind === 'add') all.push(pending.add(one.rows));
        if (one.kind === 'ask') {
          const known = setOf(all.flat());
          expect(pending.without(one.rows)).toEqual(one.rows.filter((each) => !known.has(each)));
        }
        if (one.kind === 'clear') {
          pending.clear();
          all = [];
        }
        const removed = one.kind === 'remove' ? all[one.at] : undefined;
        if (removed === undefined) continue;
        pending.remove(removed);
        all = all.filter((events) => events !== removed);
      }
    }),
    { numRuns: 1000 }
  );
});

function setOf(events: readonly EventMark[]): KnownEvents {
  const known = new KnownEvents();
  for (const event of events) known.add(event);
  return known;
}
