/** Arbitrary names and texts, with those that are easily misread. All positions are equal and unused. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Identifier } from '#compiler/ast/node';

export const position = { offset: 0, end: 0, line: 1, column: 1 };

/** Words that are names although they mean something elsewhere, and plain ones. */
const PLAIN_NAMES =
  `a b T _x timestamp date datetime offset ordinal value path level method format safe safe_cast pivot ilike semi filter
   replace first minute`.split(/\s+/);
const RESERVED_NAMES = ['group', 'order', 'interval', 'select', 'END', 'from', 'in', 'case'];

const text = fc.string({ unit: 'binary', maxLength: 6 }).map((value) => value.replaceAll('\0', '\u0001'));
const trickyText = fc.constantFrom(
  ...`' " \` \\ '' \\n -- /* \\u0041 😀`.split(' '),
  '\n',
  '\r\n',
  '\t',
  '\u2028',
  '\ufeff'
);
export const anyText = fc.oneof(text, trickyText);

const quotedName: Arbitrary<Identifier> = fc
  .oneof(
    anyText.filter((name) => name !== ''),
    fc.constantFrom(...RESERVED_NAMES, 'a')
  )
  .map((name) => ({ name, quoted: true, position }));
export const bare = (names: readonly string[]): Arbitrary<Identifier> =>
  fc.constantFrom(...names).map((name) => ({ name, quoted: false, position }));
export const name = fc.oneof(bare([...PLAIN_NAMES, 'current_date']), quotedName);
export const nameAfterDot = fc.oneof(bare([...PLAIN_NAMES, ...RESERVED_NAMES]), quotedName);
export const alias = fc.option(fc.oneof(name, bare(['interval'])), { nil: null });
/** What a path can start with: `interval` too, but no word that alone is a call. */
export const pathStart = fc.oneof(bare([...PLAIN_NAMES, 'interval']), quotedName);
