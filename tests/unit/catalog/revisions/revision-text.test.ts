/** The file of a revision: what is written is read again, and nothing that is damaged is. */
import fc from 'fast-check';
import type { RevisionFacts } from '#contract/changes/revision';
import { formatRevision, parseRevision, type StoredRevision } from '#server/catalog/revisions/revision-text';

const FACTS: RevisionFacts = {
  id: '7d1a9fd0-0000-4000-8000-000000000001',
  revision: 3,
  name: 'a.b',
  action: 'update',
  by: { token_id: 'abcdefgh', token_name: 'x' },
  time: '2026-11-22T10:00:00.000Z',
  message: null,
  changed: ['query'],
  created_at: '2026-11-22T09:00:00.000Z',
  former_names: ['a'],
  requests: [],
};

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('---\n', 'a: 1\n---\nb: 2\n', '', '\r\n', '# x\n')
);
const message = fc.option(fc.string({ unit: 'binary', maxLength: 50 }));
const revision: fc.Arbitrary<StoredRevision> = fc.oneof(
  fc.record({ text, message }).map((given) => ({ ...FACTS, ...given })),
  message.map((note) => ({ ...FACTS, action: 'delete' as const, message: note, text: null }))
);

it('a written revision is read as it was, byte for byte', () => {
  fc.assert(
    fc.property(revision, (given) => expect(parseRevision(formatRevision(given, 'saved query'))).toEqual(given))
  );
});

it('a revision that is cut off or changed in one place is not read as another', () => {
  const position = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  fc.assert(
    fc.property(revision, position, fc.constantFrom('cut', 'x', '\n'), (given, at, change) => {
      const file = formatRevision(given, 'saved query');
      const offset = Math.floor(at * file.length);
      const damaged =
        change === 'cut' ? file.slice(0, offset) : `${file.slice(0, offset)}${change}${file.slice(offset + 1)}`;
      const read = parseRevision(damaged);
      // The facts have no digest: a changed note may go unnoticed, a changed definition may not.
      expect([null, given.text]).toContainEqual(read === null ? null : read.text);
    })
  );
});
