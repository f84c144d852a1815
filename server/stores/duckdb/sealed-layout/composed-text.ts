/**
 * Finds how a text is composed of the values of other columns and constants, as gateways compose the messages of their
 * requests of method, status, address and URL. Sealed parts compose it where it is read.
 */
import type { Composition } from '#compiler/store';
import type { Pause } from '../file/work-pauses';
import { quoteName, quoteText } from '../tables/quoting';
import { isRich, type SampledTexts } from './sampled-texts';

/** Rows with other texts keep theirs. */
const MIN_SHARE = 0.9;
const MAX_COLUMNS = 12;
/** Columns with the same value that are tried for a piece. */
const MAX_CHOICES = 8;
/** Shorter values occur everywhere by chance. */
const MIN_VALUE_LENGTH = 2;
/** Rows whose texts are taken apart. The best result counts: a value may be absent in one row. */
const TRIED_ROWS = 16;
/** Longer texts are not taken apart. */
const MAX_LENGTH = 4096;
/** Irregular steps, since what is absent may be so at regular ones. */
const STEP_SHARE = (Math.sqrt(5) - 1) / 2;
const WORD = /[\p{L}\p{N}]/u;

/**
 * @param columns values of the same rows of a sample, as texts, by column
 * @param pause called between short pieces of work
 * @returns how most texts are composed: others may differ. Null: no way was found, or a text is absent
 */
export async function findComposition(
  texts: SampledTexts,
  columns: ReadonlyMap<string, SampledTexts>,
  pause: Pause
): Promise<Composition | null> {
  if (!isRich(texts)) return null;
  const present = texts.filter((text) => text !== null);
  if (present.length < texts.length) return null;
  let best: Fit | null = null;
  for (let i = 0; i < TRIED_ROWS && best?.rows !== present.length; i++) {
    await pause();
    const row = Math.floor(((i * STEP_SHARE) % 1) * present.length);
    const text = present[row]!;
    const pieces = text.length > MAX_LENGTH ? null : takeApart(text, valuesOf(row, columns));
    if (pieces === null) continue;
    const fit = fitPieces(pieces, present, columns);
    if (best === null || fit.rows > best.rows) best = fit;
  }
  return best !== null && best.rows >= texts.length * MIN_SHARE ? best.composition : null;
}

/** An expression that is never NULL. */
export function printComposition(composition: Composition): string {
  const items = composition.map((item) => (typeof item === 'string' ? quoteText(item) : quoteName(item.column)));
  return `concat(${items.join(', ')})`;
}

/** Names of columns by their value in a row. */
type Values = ReadonlyMap<string, readonly string[]>;

function valuesOf(row: number, columns: ReadonlyMap<string, SampledTexts>): Values {
  const values = new Map<string, string[]>();
  for (const [name, texts] of columns) {
    const value = texts[row];
    if (typeof value !== 'string' || value.length < MIN_VALUE_LENGTH) continue;
    const names = values.get(value) ?? [];
    if (names.length < MAX_CHOICES) names.push(name);
    values.set(value, names);
  }
  return values;
}

/** Constants, and columns that have the value which is there in one row. */
type Pieces = readonly (string | readonly string[])[];

/** Finds values as whole words in a text, long ones first. @returns null without any, or with too many */
function takeApart(text: string, values: Values): Pieces | null {
  const places: { readonly from: number; readonly to: number; readonly names: readonly string[] }[] = [];
  for (const [value, names] of [...values].sort(([a], [b]) => b.length - a.length)) {
    for (let from = text.indexOf(value); from !== -1; from = text.indexOf(value, from + value.length)) {
      const to = from + value.length;
      if (isWithinWord(text, from) || isWithinWord(text, to)) continue;
      if (places.every((place) => to <= place.from || from >= place.to)) places.push({ from, to, names });
    }
  }
  if (places.length === 0 || places.length > MAX_COLUMNS) return null;
  places.sort((a, b) => a.from - b.from);
  const pieces: (string | readonly string[])[] = [];
  let at = 0;
  for (const { from, to, names } of places) {
    if (from > at) pieces.push(text.slice(at, from));
    pieces.push(names);
    at = to;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

function isWithinWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && WORD.test(text[at - 1]!) && WORD.test(text[at]!);
}

interface Fit {
  readonly composition: Composition;
  /** Rows of the sample with this composition. */
  readonly rows: number;
}

/** Chooses for each piece the column that fits most texts. */
function fitPieces(pieces: Pieces, texts: readonly string[], columns: ReadonlyMap<string, SampledTexts>): Fit {
  /** Position up to which a text was matched, by row. */
  let matched = new Map(texts.map((_, row) => [row, 0]));
  const after = (valueOf: (row: number) => string): Map<number, number> => {
    const next = new Map<number, number>();
    for (const [row, at] of matched) {
      const value = valueOf(row);
      if (texts[row]!.startsWith(value, at)) next.set(row, at + value.length);
    }
    return next;
  };
  const composition = pieces.map((piece) => {
    if (typeof piece === 'string') {
      matched = after(() => piece);
      return piece;
    }
    const choices = piece.map((column) => {
      const next = after((row) => columns.get(column)![row] ?? '');
      const isMoved = ([row, at]: readonly [number, number]): boolean => at > matched.get(row)!;
      return { column, next, moved: [...next].filter(isMoved).length };
    });
    // An absent value fits everywhere.
    const [first, ...others] = choices;
    const best = others.reduce((chosen, other) => (other.moved > chosen.moved ? other : chosen), first!);
    matched = best.next;
    return { column: best.column };
  });
  return { composition, rows: [...matched].filter(([row, at]) => at === texts[row]!.length).length };
}
