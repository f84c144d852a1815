/** Error for a character that starts no token, with hints for common mistakes. */
import type { ServiceError } from '#contract/errors';
import { syntaxError } from '../parse-errors';
import type { SourceText } from './source-text';

const HINTS: readonly (readonly [characters: RegExp, hint: string])[] = [
  [/[‘’‚‛′´]/u, "use the straight quote ' for strings"],
  [/[“”„‟″«»]/u, 'use the straight quote " for strings'],
  [/[‐‑‒–—−]/u, 'use the plain minus -'],
  [/[${}]/, 'a parameter is written @name'],
  [/\p{L}/u, 'a name with letters other than A to Z is written in backticks'],
];

export function unexpectedCharacter(source: SourceText, offset: number): ServiceError {
  const character = String.fromCodePoint(source.text.codePointAt(offset) ?? 0);
  const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
  const shown = visible
    ? `"${character}"`
    : `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  const hint = HINTS.find(([characters]) => characters.test(character))?.[1];
  return syntaxError(source.position(offset, offset + character.length), `unexpected character ${shown}`, hint);
}
