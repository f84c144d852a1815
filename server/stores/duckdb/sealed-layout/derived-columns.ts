/**
 * Finds text columns that say what another one says: the same text, or one with a constant before or after it. Sealed
 * parts compute them where they are read.
 */
import type { Pause } from '../file/work-pauses';
import { quoteName, quoteText } from '../tables/quoting';
import { isRich, type SampledTexts } from './sampled-texts';

export interface DerivedColumn {
  readonly name: string;
  readonly from: string;
  readonly prefix: string;
  readonly suffix: string;
}

const MAX_CONSTANT_LENGTH = 64;

/**
 * @param columns texts of the same rows of a sample, by column @param pause called between short pieces of work
 * @returns candidates: other rows may differ
 */
export async function findDerivedColumns(
  columns: ReadonlyMap<string, SampledTexts>,
  pause: Pause
): Promise<readonly DerivedColumn[]> {
  const rich: (readonly [string, SampledTexts])[] = [];
  for (const column of columns) {
    await pause();
    if (isRich(column[1])) rich.push(column);
  }
  const derived = new Map<string, DerivedColumn>();
  const bases = new Set<string>();
  // The first of equal columns stays.
  for (const [name, texts] of rich.toReversed()) {
    if (bases.has(name)) continue;
    for (const [from, base] of rich) {
      if (from === name || derived.has(from)) continue;
      await pause();
      const affixes = affixesOf(texts, base);
      if (affixes === null) continue;
      derived.set(name, { name, from, ...affixes });
      bases.add(from);
      break;
    }
  }
  return [...derived.values()];
}

export function printDerived({ from, prefix, suffix }: DerivedColumn): string {
  const items = [prefix, null, suffix].filter((item) => item !== '');
  return items.map((item) => (item === null ? quoteName(from) : quoteText(item))).join(' || ');
}

function affixesOf(texts: SampledTexts, base: SampledTexts): Pick<DerivedColumn, 'prefix' | 'suffix'> | null {
  const row = texts.findIndex((text) => text !== null);
  const [text, inner] = [texts[row], base[row]];
  if (typeof text !== 'string' || typeof inner !== 'string' || inner === '') return null;
  const at = text.indexOf(inner);
  if (at === -1 || text.length - inner.length > MAX_CONSTANT_LENGTH) return null;
  const [prefix, suffix] = [text.slice(0, at), text.slice(at + inner.length)];
  const isEqual = texts.every((other, i) => {
    const from = base[i]!;
    return from === null ? other === null : other === `${prefix}${from}${suffix}`;
  });
  return isEqual ? { prefix, suffix } : null;
}
