/** Definitions are sent in as many messages as they need. */
import { savedQuerySchema, type SavedQuery } from '#contract/queries/saved-query';
import { defineInPieces, onceCompiled } from '#server/engine/client/define-in-pieces';

const stored = Array.from({ length: 5 }, (_, i): SavedQuery => {
  const id = `00000000-0000-4000-8000-00000000000${i}`;
  return savedQuerySchema.parse({ id, name: `test.query${i}`, query: `SELECT ${i} AS n` });
});
const bytes = Buffer.byteLength(JSON.stringify(stored[0]));
const request = { definitions: [], stored, former: [] };

test('definitions that fit into one message are sent in one', () => {
  expect(defineInPieces(request)).toEqual({ amendments: [], define: request });
  expect(defineInPieces({ ...request, stored: [] })).toEqual({ amendments: [], define: { ...request, stored: [] } });
});

test.each([
  ['two in a message', 2 * bytes, [2, 2, 1]],
  ['each larger than a message', 1, [1, 1, 1, 1, 1]],
])('others are sent before, %s, and named in the last message', (_sizes, maxBytes, lengths) => {
  const { amendments, define } = defineInPieces(request, maxBytes);
  expect(amendments.map(({ changed }) => changed.length)).toEqual(lengths);
  expect(amendments.flatMap(({ changed }) => changed)).toEqual(stored);
  expect(define).toEqual({ ...request, stored: [], sent: stored.map(({ id }) => id) });
});

test('a process after the first gets no definitions to compile before it takes calls', () => {
  const [first, ...others] = stored;
  const compiled = onceCompiled({ definitions: [first!], stored: others, former: [first!] });
  expect(compiled).toEqual({ definitions: [], stored, former: [first] });
});
