/** The parts of one source. */
import type { Part } from './part';

export interface StoredParts {
  /** Open parts by day. Maps are replaced, never changed in place. */
  readonly parts: ReadonlyMap<number, Part>;
  /** Sealed parts by day. */
  readonly sealed: ReadonlyMap<number, Part>;
}

export const NO_PARTS: StoredParts = { parts: new Map(), sealed: new Map() };

/** Every part, newest day first, and the sealed part of a day before its open one. */
export function allParts({ parts, sealed }: StoredParts): readonly Part[] {
  return [...sealed.values(), ...parts.values()].sort((a, b) => b.day - a.day);
}

/** The parts of a day, the sealed one first: the rows of an open part are numbered after its rows. */
export function partsOf({ parts, sealed }: StoredParts, day: number): readonly Part[] {
  return [sealed.get(day), parts.get(day)].filter((part) => part !== undefined);
}

/** Days with events, oldest first. */
export function storedDays({ parts, sealed }: StoredParts): readonly number[] {
  return [...new Set([...sealed.keys(), ...parts.keys()])].sort((a, b) => a - b);
}

export function withoutDay({ parts, sealed }: StoredParts, day: number): StoredParts {
  const isOther = ([other]: readonly [number, Part]): boolean => other !== day;
  return { parts: new Map([...parts].filter(isOther)), sealed: new Map([...sealed].filter(isOther)) };
}
