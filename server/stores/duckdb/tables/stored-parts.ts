/** The parts of one source. Maps and lists are replaced, never changed in place. */
import type { Part } from './part';

export interface StoredParts {
  /** Open parts that events are written to, by day. */
  readonly parts: ReadonlyMap<number, Part>;
  /** Open parts before them, in the order in which they were written, by day. A day with any has one in `parts`. */
  readonly former: ReadonlyMap<number, readonly Part[]>;
  /** Sealed parts by day. */
  readonly sealed: ReadonlyMap<number, Part>;
}

export const NO_PARTS: StoredParts = { parts: new Map(), former: new Map(), sealed: new Map() };

/** Every part, newest day first, and the parts of a day in the order of `partsOf`. */
export function allParts(stored: StoredParts): readonly Part[] {
  return [...storedDays(stored)].reverse().flatMap((day) => partsOf(stored, day));
}

/** The parts of a day, the sealed one first: the rows of a part are numbered after those of the parts before it. */
export function partsOf(stored: StoredParts, day: number): readonly Part[] {
  const sealed = stored.sealed.get(day);
  return [...(sealed === undefined ? [] : [sealed]), ...openPartsOf(stored, day)];
}

export function openPartsOf({ parts, former }: StoredParts, day: number): readonly Part[] {
  const last = parts.get(day);
  return last === undefined ? [] : [...(former.get(day) ?? []), last];
}

export function allOpenParts(stored: StoredParts): readonly Part[] {
  return [...stored.parts.keys()].flatMap((day) => openPartsOf(stored, day));
}

/** Days with events, oldest first. */
export function storedDays({ parts, sealed }: StoredParts): readonly number[] {
  return [...new Set([...sealed.keys(), ...parts.keys()])].sort((a, b) => a - b);
}

/** With other parts to write to. One of another table follows the present one. */
export function withWritten({ parts, former, sealed }: StoredParts, written: ReadonlyMap<number, Part>): StoredParts {
  const left = new Map(former);
  for (const [day, part] of written) {
    const before = parts.get(day);
    if (before !== undefined && before.table !== part.table) left.set(day, [...(left.get(day) ?? []), before]);
  }
  return { parts: new Map([...parts, ...written]), former: left, sealed };
}

export function withoutDay({ parts, former, sealed }: StoredParts, day: number): StoredParts {
  return { parts: without(parts, day), former: without(former, day), sealed: without(sealed, day) };
}

function without<T>(byDay: ReadonlyMap<number, T>, day: number): ReadonlyMap<number, T> {
  return new Map([...byDay].filter(([other]) => other !== day));
}
