/**
 * Cuts the parts of a scan into pieces that are read one after the other, newest first, until enough rows are found.
 * The first pieces are spans before the newest time that the statement can read, with about the same number of events
 * however many a day has. Then come whole days, of one, one, then doubling, so that a search for rare rows takes few
 * statements.
 */
import type { CatalogPart, ExtentOf } from '../../catalog/catalog';
import type { ScanInput } from '../../ir/plan';

/** Parts of which only the events within the limits are read. */
export interface ScanPiece {
  readonly scan: ScanInput;
  readonly parts: readonly CatalogPart[];
  /** Both inclusive, infinite where there is no limit. */
  readonly limits: ScanInput['bounds'];
}

const MINUTE_MICROS = 60_000_000;
const DAY_MICROS = 24 * 60 * MINUTE_MICROS;

interface Span {
  /** Events from the newest on, if they come evenly. */
  readonly rows: number;
  readonly mostMicros: number;
  /** Without knowing how many events there are. */
  readonly usualMicros: number;
}

/** A store reads two vectors of rows first. More make up for projects with a small share of the events. */
const SPANS: readonly Span[] = [
  { rows: 4_096, mostMicros: 120 * MINUTE_MICROS, usualMicros: 15 * MINUTE_MICROS },
  { rows: 32_768, mostMicros: 720 * MINUTE_MICROS, usualMicros: 120 * MINUTE_MICROS },
];

/** What decides where parts are cut. */
export interface PieceTimes {
  /** Events are seldom newer; those that are belong to the first piece. */
  readonly nowMicros: number;
  readonly extentOf?: ExtentOf | undefined;
}

const NO_LIMITS = { fromMicros: Number.NEGATIVE_INFINITY, toMicros: Number.POSITIVE_INFINITY };

/**
 * @param parts newest first, those of one day one after the other
 * @param times null: parts are not cut
 */
export function newestPieces(scan: ScanInput, parts: readonly CatalogPart[], times: PieceTimes | null): ScanPiece[] {
  const pieces = times === null ? [] : newestSpans(scan, parts, times);
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

function newestSpans(scan: ScanInput, parts: readonly CatalogPart[], { nowMicros, extentOf }: PieceTimes): ScanPiece[] {
  const pieces: ScanPiece[] = [];
  const days = daysOf(parts).map((day) => densityOf(day, nowMicros, extentOf));
  const oldestMicros = Math.max(scan.bounds.fromMicros, parts.at(-1)?.fromMicros ?? 0);
  const newestMicros = Math.min(scan.bounds.toMicros, days[0]?.newestMicros ?? 0);
  let { toMicros } = NO_LIMITS;
  for (const span of SPANS) {
    const fromMicros = newestMicros - lengthOf(span, newestMicros, days);
    if (fromMicros <= oldestMicros) break;
    // By a fuller day than the span before.
    if (fromMicros > toMicros) continue;
    const read = parts.filter((part) => part.toMicros > fromMicros && part.fromMicros <= toMicros);
    if (read.length === 0) continue;
    pieces.push({ scan, parts: read, limits: { fromMicros, toMicros } });
    toMicros = fromMicros - 1;
  }
  return pieces;
}

interface Density {
  readonly fromMicros: number;
  readonly newestMicros: number;
  /** Null: not known. */
  readonly rowsPerMicro: number | null;
}

/** How many events a day has so far. */
function densityOf(day: readonly CatalogPart[], nowMicros: number, extentOf: ExtentOf | undefined): Density {
  const [{ fromMicros, toMicros }] = day as readonly [CatalogPart, ...CatalogPart[]];
  const extents = day.map((part) => extentOf?.(part) ?? { rows: 0, newestMicros: null });
  const newest = Math.max(...extents.map((extent) => extent.newestMicros ?? Number.POSITIVE_INFINITY));
  const newestMicros = Math.max(fromMicros, Math.min(toMicros, nowMicros, newest));
  const rows = extents.reduce((sum, extent) => sum + extent.rows, 0);
  return { fromMicros, newestMicros, rowsPerMicro: rows > 0 ? rows / (newestMicros + 1 - fromMicros) : null };
}

/** By the fullest day that the longest span would reach. */
function lengthOf({ rows, mostMicros, usualMicros }: Span, newestMicros: number, days: readonly Density[]): number {
  const reached = days.filter(
    ({ fromMicros }) => fromMicros <= newestMicros && fromMicros + DAY_MICROS > newestMicros - mostMicros
  );
  const most = Math.max(0, ...reached.map(({ rowsPerMicro }) => rowsPerMicro ?? 0));
  return most === 0 ? usualMicros : Math.min(mostMicros, Math.ceil(rows / most));
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
