/**
 * Cuts the parts of a scan into pieces that are read one after the other, newest first, until enough rows are found. The
 * first pieces are short spans before the newest time that the statement can read, so that the newest rows cost the same
 * however many events a day has. Then come whole days, of one, one, then doubling, so that a search for rare rows takes
 * few statements.
 */
import type { CatalogPart } from '../catalog/catalog';
import type { ScanInput } from '../ir/plan';

/** Parts of which only the events within the limits are read. */
export interface ScanPiece {
  readonly scan: ScanInput;
  readonly parts: readonly CatalogPart[];
  /** Both inclusive, infinite where there is no limit. */
  readonly limits: ScanInput['bounds'];
}

const MINUTE_MICROS = 60_000_000;
/** Lengths of the spans from the newest time on. */
const SPANS_MICROS = [15 * MINUTE_MICROS, 120 * MINUTE_MICROS];

const NO_LIMITS = { fromMicros: Number.NEGATIVE_INFINITY, toMicros: Number.POSITIVE_INFINITY };

/**
 * @param parts newest first, those of one day one after the other
 * @param nowMicros events are seldom newer; those that are belong to the first piece. Null: parts are not cut
 */
export function newestPieces(scan: ScanInput, parts: readonly CatalogPart[], nowMicros: number | null): ScanPiece[] {
  const pieces = nowMicros === null ? [] : newestSpans(scan, parts, nowMicros);
  const toMicros = (pieces.at(-1)?.limits.fromMicros ?? NO_LIMITS.toMicros) - 1;
  const rest = parts.filter((part) => part.fromMicros <= toMicros);
  for (const [index, days] of doubling(daysOf(rest)).entries()) {
    const limits = index === 0 ? { ...NO_LIMITS, toMicros } : NO_LIMITS;
    pieces.push({ scan, parts: days.flat(), limits });
  }
  return pieces;
}

/** Rows of several pieces that are read by one statement. */
const MAX_JOINED_ROWS = 131_072;

/** Joins neighboring pieces of few numbered rows, if they are not cut: another statement costs more than they do. */
export function joinedPieces(pieces: readonly ScanPiece[]): ScanPiece[] {
  const joined: ScanPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && rowsOf(last) + rowsOf(piece) <= MAX_JOINED_ROWS)
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...piece.parts] };
    else joined.push(piece);
  }
  return joined;
}

/** Infinite for a piece that is cut, or has a part that is read as a whole. */
function rowsOf({ parts, limits }: ScanPiece): number {
  if (Number.isFinite(limits.fromMicros) || Number.isFinite(limits.toMicros)) return Number.POSITIVE_INFINITY;
  return parts
    .flatMap(({ rows }) => rows ?? [{ from: 0, to: Number.POSITIVE_INFINITY }])
    .reduce((sum, { from, to }) => sum + to - from, 0);
}

function newestSpans(scan: ScanInput, parts: readonly CatalogPart[], nowMicros: number): ScanPiece[] {
  const pieces: ScanPiece[] = [];
  const oldestMicros = Math.max(scan.bounds.fromMicros, parts.at(-1)?.fromMicros ?? 0);
  const newestMicros = Math.min(scan.bounds.toMicros, parts[0]?.toMicros ?? 0, nowMicros);
  let { toMicros } = NO_LIMITS;
  for (const span of SPANS_MICROS) {
    const fromMicros = newestMicros - span;
    if (fromMicros <= oldestMicros) break;
    const read = parts.filter((part) => part.toMicros > fromMicros && part.fromMicros <= toMicros);
    if (read.length === 0) continue;
    pieces.push({ scan, parts: read, limits: { fromMicros, toMicros } });
    toMicros = fromMicros - 1;
  }
  return pieces;
}

/** Parts of one day are read together: either may have the newest rows. */
function daysOf(parts: readonly CatalogPart[]): readonly (readonly CatalogPart[])[] {
  const byTime = new Map<number, CatalogPart[]>();
  for (const part of parts) {
    const sameTime = byTime.get(part.fromMicros);
    if (sameTime === undefined) byTime.set(part.fromMicros, [part]);
    else sameTime.push(part);
  }
  return [...byTime.values()];
}

function doubling<T>(items: readonly T[]): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let from = 0; from < items.length;) {
    const size = Math.max(1, from);
    groups.push(items.slice(from, from + size));
    from += size;
  }
  return groups;
}
