/**
 * The parser returns a tree for any text, or an error with a position in it, in time proportional to its length.
 *
 * @slow 15
 */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import { printCanonical } from '#compiler/sql/canonical/print-canonical';
import { ACCEPTED, CANONICAL, REFUSALS } from '../../../support/cases/sql/parser';
import { LINEAR_MS, processorMs } from '../../../support/jest/processor-time';

const TEXTS = [
  ...ACCEPTED.map(([, text]) => text),
  ...CANONICAL.map(([text]) => text),
  ...REFUSALS.map(({ text }) => text),
];
const PIECES =
  `select from where group by order limit ( ) [ ] , . ; + - * / % = < > & | ^ ~ :: not and or in is like between case when
   then else end cast as with union all except distinct join left on using unnest over partition array struct exists interval
   extract @p 1 .5 1e3 'a' "b" r'c' \`d\` -- # /* */ null true a t u count date timestamp offset safe if ' " \` \\ $ ? ! @@
   => -> |> && ==`.split(/\s+/);

const piece = fc.oneof(
  { arbitrary: fc.constantFrom(...PIECES), weight: 8 },
  fc.string({ unit: 'binary', maxLength: 4 })
);
const soup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' '));
/** A text of the corpus with some of its words left out, doubled or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...TEXTS),
    fc.array(fc.tuple(fc.nat(200), fc.constantFrom('drop', 'double', 'replace', 'insert', 'cut'), piece), {
      minLength: 1,
      maxLength: 4,
    })
  )
  .map(([text, edits]) =>
    edits.reduce((current, [place, edit, replacement]) => {
      const words = current.split(/(\b)/);
      const at = place % Math.max(words.length, 1);
      const word = words[at] ?? '';
      const changed = {
        drop: [],
        double: [word, ' ', word],
        replace: [replacement],
        insert: [word, replacement],
        cut: [],
      };
      if (edit === 'cut') return words.slice(0, at).join('');
      return [...words.slice(0, at), ...changed[edit], ...words.slice(at + 1)].join('');
    }, text)
  );

test.each([
  ['any text', fc.string({ unit: 'binary', maxLength: 200 })],
  ['any UTF-16', fc.array(fc.nat(0xffff), { maxLength: 60 }).map((units) => String.fromCharCode(...units))],
  ['words in any order', soup],
  ['a text that was changed a little', mutated],
])('%s is read or refused', (_name, texts) => {
  fc.assert(fc.property(texts, ensureReadOrRefused), { numRuns: 2_000 });
});

function ensureReadOrRefused(text: string): void {
  expect(processorMs(() => readOrRefuse(text), LINEAR_MS, 1)).toBeLessThan(LINEAR_MS);
}

function readOrRefuse(text: string): void {
  try {
    const printed = printCanonical(parseStatement(text));
    expect(printCanonical(parseStatement(printed))).toBe(printed);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { line = 0, column = 0 } = error.details.position ?? {};
    const lines = text.split(/\r\n|\r|\n/);
    expect(lines.length).toBeGreaterThanOrEqual(line);
    expect(column).toBeGreaterThan(0);
    expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 2);
  }
}
