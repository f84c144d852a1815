/**
 * The place whose operation is being printed: the failures that its SQL raises carry the number of the place, and may
 * depend on an element of a list.
 */
import type { FailurePlace } from '../../output/failure-places';
import type { Expr } from '../../ir/expression';
import type { Site } from '../../ast/site';
import { siteOf } from '../../ir/sites';
import { writtenMessage, writtenOperand } from './written-operand';
import { RUN_FAILURES, type RunFailure } from '../../output/run-failure';
import { itemAt } from '../../items';

let current: number | null = null;
let isSafe = false;
let element: string | null = null;

/**
 * Prints with a place; null: none is known.
 *
 * @param safe whether the operation gives NULL where it would fail
 * @param of name of the element of a list for which the operation is computed only if a condition says so
 */
export function atPlace<T>(place: number | null, safe: boolean, print: () => T, of: string | null = null): T {
  const before = { current, isSafe, element };
  current = place;
  isSafe = safe;
  element = of;
  try {
    return print();
  } finally {
    ({ current, isSafe, element } = before);
  }
}

/** Name of the element of a list for which a failure is raised; null: for none, or for each. */
export function failingElement(): string | null {
  return element;
}

/** Whether a failure becomes NULL: one that the text causes, not a limit of growth. */
export function givesNull(failure: RunFailure): boolean {
  return isSafe && RUN_FAILURES[failure].code === 'query_invalid';
}

/** ` 3` for place number 3. */
export function placeSuffix(): string {
  return current === null ? '' : ` ${current}`;
}

type NumberedPlace = FailurePlace & {
  readonly reasons: Set<string>;
  readonly operations: Set<string>;
};

/** Numbers the places of a statement in the order in which they are printed. */
export class FailurePlaces {
  private readonly numbers = new Map<Site | null, number>();
  readonly list: NumberedPlace[] = [];

  /** @param showsLiterals whether the text is the caller's, so that its literals may be shown */
  constructor(
    private readonly parameters: Readonly<Record<string, string | null>>,
    private readonly showsLiterals: boolean
  ) {}

  /** Number of the place of an operation. All that are outside of the caller's text have one number. */
  numberOf(expr: Expr): number {
    const number = this.numberOfSite(siteOf(expr) ?? null);
    const place = itemAt(this.list, number);
    for (const reason of reasonsOf(expr)) place.reasons.add(reason);
    if (expr.kind === 'call') place.operations.add(expr.fn);
    return number;
  }

  numberOfSite(site: Site | null): number {
    let number = this.numbers.get(site);
    if (number === undefined) {
      const written = site?.expression;
      const message = writtenMessage(written, this.parameters);
      const value = writtenOperand(written, this.parameters, this.showsLiterals);
      number = this.list.push({ site, message, value, reasons: new Set(), operations: new Set() }) - 1;
      this.numbers.set(site, number);
    }
    return number;
  }
}

const OF_NUMBERS = ['out_of_range'];
const OF_DIVISIONS = ['out_of_range', 'division_by_zero'];

/** Reasons of the stores' own failures. Operations that are not listed raise theirs, or never fail. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  add: OF_NUMBERS,
  sub: OF_NUMBERS,
  mul: OF_NUMBERS,
  neg: OF_NUMBERS,
  abs: OF_NUMBERS,
  sum: OF_NUMBERS,
  avg: OF_NUMBERS,
  round: OF_NUMBERS,
  trunc: OF_NUMBERS,
  ceil: OF_NUMBERS,
  floor: OF_NUMBERS,
  sqrt: OF_NUMBERS,
  ln: OF_NUMBERS,
  log: OF_NUMBERS,
  log10: OF_NUMBERS,
  exp: OF_NUMBERS,
  power: OF_NUMBERS,
  shift_left: OF_NUMBERS,
  shift_right: OF_NUMBERS,
  generate_array: OF_NUMBERS,
  list_index: OF_NUMBERS,
  divide: OF_DIVISIONS,
  mod: OF_DIVISIONS,
  int_div: OF_DIVISIONS,
  like: ['bad_regex'],
  json_value: ['bad_json'],
  json_query: ['bad_json'],
  json_value_array: ['bad_json'],
  json_query_array: ['bad_json'],
  timestamp_diff: ['out_of_range', 'bad_time'],
  datetime_diff: ['out_of_range', 'bad_time'],
};

function reasonsOf(expr: Expr): readonly string[] {
  switch (expr.kind) {
    case 'call':
    case 'aggregate':
      return REASONS[expr.fn] ?? [];
    case 'cast':
      return expr.safe ? [] : ['bad_cast', 'out_of_range', 'bad_time'];
    case 'subquery':
      return expr.form === 'scalar' ? ['scalar_subquery'] : [];
    default:
      return [];
  }
}
