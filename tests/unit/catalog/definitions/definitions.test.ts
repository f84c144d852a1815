/** The served saved queries after any sequence of changes equal those that are created at once. */
import fc from 'fast-check';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { createDefinitions } from '#server/catalog/definitions/definitions';

const idOf = (n: number): string => `7d1a9fd0-0000-4000-8000-${String(n).padStart(12, '0')}`;
const definitionOf = (n: number, name: string): SavedQuery =>
  savedQuerySchema.parse({ id: idOf(n), name, query: 'SELECT 1' });

const NAMES = ['a', 'b.c', 'b', 'm.1', 'm.10', 'm.2', 'z'];

it('changes of some saved queries give the same order, ids and names as all at once', () => {
  const change = fc.record({ id: fc.integer({ min: 1, max: 6 }), name: fc.option(fc.constantFrom(...NAMES)) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const file = definitionOf(99, 'file');
      const stored = new Map<string, SavedQuery>();
      const amended = createDefinitions([file]);
      for (const { id, name } of changes) {
        const isTaken =
          name !== null && [...stored.values()].some((other) => other.name === name && other.id !== idOf(id));
        if (isTaken) continue;
        if (name === null) {
          stored.delete(idOf(id));
          amended.amend({ changed: [], removed: [idOf(id)] });
        } else {
          stored.set(idOf(id), definitionOf(id, name));
          amended.amend({ changed: [stored.get(idOf(id))!], removed: [] });
        }
      }
      const atOnce = createDefinitions([file], [...stored.values()]);
      expect(amended.all).toEqual(atOnce.all);
      for (const name of NAMES) expect(amended.find(name)).toEqual(atOnce.find(name));
      for (let n = 1; n <= 6; n += 1) expect(amended.find(idOf(n))).toEqual(atOnce.find(idOf(n)));
      expect(amended.ofOrigin('file')).toEqual([file]);
    })
  );
});
