/**
 * Splits a body into entries: one object, an array, `{"batch":[..]}`, or one object per line. The content decides the
 * form. In lines a broken entry affects only itself; in the other forms broken JSON makes the whole body invalid, since
 * the start of the next entry is unknown.
 */
import { ServiceError } from '#contract/errors';
import type { BodyForm } from '#contract/events/ingest';
import { EntryRejection } from '../event/event-row';
import type { EventScanner } from './event-scanner';
import { JsonSyntaxError } from '../../../common/json/json-lexer';
import { Token } from '../../../common/json/json-token';

export interface VisitedEntry {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly token: Token;
  /** Reason why the scanner could not read the entry; null: it could. */
  readonly failure: EntryRejection | null;
}

/** Called for each entry after the scanner has read it, or has failed. */
export type EntryVisitor = (entry: VisitedEntry) => void;

/** Start and index of the next entry. */
export interface EntryPlace {
  readonly offset: number;
  readonly index: number;
}

const FIRST_ENTRY: EntryPlace = { offset: 0, index: 0 };

export interface EntriesToVisit {
  readonly body: Buffer;
  readonly form: BodyForm;
  /** Start; absent: the first entry. */
  readonly from?: EntryPlace;
  /** Offset: entries that start after it are not visited. Form `any` is always visited to its end. */
  readonly until: number;
}

/** @returns where to continue; null: all entries were visited @throws ServiceError `body_invalid` */
export function visitEntries(
  { body, form, from = FIRST_ENTRY, until }: EntriesToVisit,
  scanner: EventScanner,
  visit: EntryVisitor
): EntryPlace | null {
  if (form === 'lines') return visitLines(body, scanner, visit, from, until);
  if (form === 'items') return visitBareItems(body, scanner, visit, from, until);
  visitAny(body, scanner, visit);
  return null;
}

function visitAny(body: Buffer, scanner: EventScanner, visit: EntryVisitor): void {
  const start = hasByteOrderMark(body) ? 3 : 0;
  scanner.open(body, start, body.length);
  const first = scanner.peek();
  if (first === 0 && scanner.position >= body.length) {
    throw new ServiceError('body_invalid', 'The body is empty.', { reason: 'empty' });
  }
  try {
    if (first === 0x5b) return visitArray(body, scanner, visit, 'the array');
    if (first === 0x7b && openBatchObject(body, scanner)) return visitBatchObject(body, scanner, visit);
  } catch (error) {
    throw asBodyError(error, body);
  }
  const hasLines = hasSeveralLines(body, scanner, start);
  scanner.open(body, start, body.length);
  if (hasLines) visitLines(body, scanner, visit, { offset: start, index: 0 }, Infinity);
  else visitSingle(body, scanner, visit);
}

function visitSingle(body: Buffer, scanner: EventScanner, visit: EntryVisitor): void {
  try {
    scanner.peek();
    const start = scanner.position;
    const token = scanner.scanEntry();
    const end = scanner.position;
    if (token !== Token.object) scanner.fail('an object, an array or one object per line');
    ensureNothingFollows(body, scanner, 'the object');
    visit({ index: 0, start, end, token, failure: null });
  } catch (error) {
    throw asBodyError(error, body);
  }
}

function visitArray(body: Buffer, scanner: EventScanner, visit: EntryVisitor, what: string): void {
  visitItems(scanner, visit);
  ensureNothingFollows(body, scanner, what);
}

/** Visits from the opening bracket to after the closing one. */
function visitItems(scanner: EventScanner, visit: EntryVisitor): void {
  scanner.expect(0x5b);
  if (scanner.peek() === 0x5d) {
    scanner.position++;
    return;
  }
  visitSeparated(scanner, visit, 0, Infinity);
  if (scanner.peek() !== 0x5d) scanner.fail('"," or "]"');
  scanner.position++;
}

function visitBareItems(
  body: Buffer,
  scanner: EventScanner,
  visit: EntryVisitor,
  from: EntryPlace,
  until: number
): EntryPlace | null {
  try {
    scanner.open(body, from.offset, body.length);
    const next = visitSeparated(scanner, visit, from.index, until);
    if (next === null) ensureNothingFollows(body, scanner, 'the entries');
    return next;
  } catch (error) {
    throw asBodyError(error, body);
  }
}

/**
 * Visits entries up to `until`, and returns the place of the next one; null after an entry without a comma after it.
 */
function visitSeparated(
  scanner: EventScanner,
  visit: EntryVisitor,
  firstIndex: number,
  until: number
): EntryPlace | null {
  for (let index = firstIndex; ; index++) {
    if (scanner.position > until) return { offset: scanner.position, index };
    scanner.peek();
    const start = scanner.position;
    const token = scanner.scanEntry();
    visit({ index, start, end: scanner.position, token, failure: null });
    if (scanner.peek() !== 0x2c) return null;
    scanner.position++;
  }
}

/** True when the body is exactly `{"batch":[..]}`. Leaves the scanner at the bracket then. */
function openBatchObject(body: Buffer, scanner: EventScanner): boolean {
  const start = scanner.position;
  scanner.position++;
  if (scanner.peek() !== 0x22) return false;
  const key = '"batch"';
  const at = scanner.position;
  if (body.toString('latin1', at, at + key.length) !== key) return false;
  scanner.position = at + key.length;
  if (scanner.peek() !== 0x3a) return false;
  scanner.position++;
  if (scanner.peek() !== 0x5b) return false;
  const bracket = scanner.position;
  scanner.skipValue(1);
  const isAll = scanner.peek() === 0x7d;
  scanner.position = isAll ? bracket : start;
  return isAll;
}

function visitBatchObject(body: Buffer, scanner: EventScanner, visit: EntryVisitor): void {
  visitItems(scanner, visit);
  scanner.expect(0x7d);
  ensureNothingFollows(body, scanner, 'the batch');
}

/** Blank lines are skipped and not counted. */
function visitLines(
  body: Buffer,
  scanner: EventScanner,
  visit: EntryVisitor,
  from: EntryPlace,
  until: number
): EntryPlace | null {
  let { index } = from;
  for (let lineStart = from.offset; lineStart < body.length;) {
    if (lineStart > until) return { offset: lineStart, index };
    const newline = body.indexOf(0x0a, lineStart);
    const lineEnd = newline < 0 ? body.length : newline;
    scanner.open(body, lineStart, lineEnd);
    scanner.peek();
    const entryStart = scanner.position;
    if (entryStart < lineEnd) {
      visitLine(scanner, visit, index++, entryStart, lineEnd);
    }
    lineStart = lineEnd + 1;
  }
  return null;
}

function visitLine(scanner: EventScanner, visit: EntryVisitor, index: number, start: number, lineEnd: number): void {
  let token: Token = Token.absent;
  let failure: EntryRejection | null = null;
  let end = lineEnd;
  try {
    token = scanner.scanEntry();
    end = scanner.position;
    scanner.peek();
    if (scanner.position < lineEnd) scanner.fail('the end of the line');
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    failure = new EntryRejection('bad_json', `${error.message} at byte ${error.offset - start + 1} of the line`);
  }
  visit({ index, start, end, token, failure });
}

/**
 * True for one object per line, false for one object that may span lines. The first object ends on its line, before the
 * end of the body; or it is broken, but a later line looks like an entry.
 */
function hasSeveralLines(body: Buffer, scanner: EventScanner, start: number): boolean {
  const [, second] = take(filledLines(body, start), 2);
  if (second === undefined) return false;
  scanner.open(body, start, body.length);
  try {
    scanner.skipValue(0);
    scanner.peek();
    return scanner.position < body.length;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    for (const line of filledLines(body, second.start)) {
      if (body[line.start] === 0x7b && body[line.end - 1] === 0x7d) return true;
    }
    return false;
  }
}

function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

/** Lines that are not blank, without trailing white space. */
function* filledLines(body: Buffer, from: number): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = from; start < body.length;) {
    const newline = body.indexOf(0x0a, start);
    const next = newline < 0 ? body.length : newline + 1;
    let end = newline < 0 ? body.length : newline;
    while (end > start && body[end - 1]! <= 0x20) end--;
    if (end > start) yield { start, end };
    start = next;
  }
}

function ensureNothingFollows(body: Buffer, scanner: EventScanner, what: string): void {
  scanner.peek();
  if (scanner.position < body.length) throw new JsonSyntaxError(`unexpected text after ${what}`, scanner.position);
}

function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

function asBodyError(error: unknown, body: Buffer): unknown {
  if (!(error instanceof JsonSyntaxError)) return error;
  const before = body.toString('utf8', 0, error.offset).replace(/^\ufeff/, '');
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const position = { line, column: before.length - lineStart + 1 };
  return new ServiceError('body_invalid', `The body is not valid JSON: ${error.message}.`, {
    reason: 'bad_json',
    position,
  });
}
