/**
 * Places of a statement that may fail while it runs. A failure that the statement raises names its place by number; of
 * one that the store raises by itself the place is known where only one operation can fail in this way.
 */
import { ServiceError } from '#contract/errors';
import type { Site } from '../ast/site';

export interface FailurePlace {
  /** Null: outside of the caller's text, as in the saved query behind a sandbox. */
  readonly site: Site | null;
  /** Text of a call of ERROR. */
  readonly message?: string | undefined;
  /** The operand as the caller wrote it, a parameter or a literal. */
  readonly value?: string | undefined;
  /** Operations of the place. */
  readonly operations: ReadonlySet<string>;
  /** Reasons with which the store itself may fail there. */
  readonly reasons: ReadonlySet<string>;
}

/** The error with the name of the function and its position, where they are known. */
export function atItsPlace(error: unknown, places: readonly FailurePlace[]): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { place: number, operation, ...details } = error.details as ServiceError['details'] & RaisedDetails;
  const place = typeof number === 'number' ? places[number] : onlyPlace(places, String(details.reason), operation);
  if (!place?.site || details.position !== undefined) {
    const isPlain = number === undefined && operation === undefined;
    return isPlain ? error : new ServiceError(error.code, error.message, details, { cause: error.cause });
  }
  const { name, line, column } = place.site;
  return new ServiceError(
    error.code,
    `${name}: ${place.message ?? withValue(error.message, place.value)}`,
    { ...details, position: { line, column } },
    { cause: error.cause }
  );
}

/** What a store tells of a failure besides its reason. */
interface RaisedDetails {
  /** Number of the place. */
  readonly place?: unknown;
  /** Operation that failed by itself, where the store names it. */
  readonly operation?: unknown;
}

/** Names the value instead of "a value". */
function withValue(message: string, value: string | undefined): string {
  return value === undefined ? message : message.replace(/^a (?:value|number|text|time)\b/, () => value);
}

function onlyPlace(places: readonly FailurePlace[], reason: string, operation: unknown): FailurePlace | undefined {
  const isPossible = ({ reasons, operations }: FailurePlace): boolean =>
    reasons.has(reason) && (typeof operation !== 'string' || operations.has(operation));
  const possible = places.filter(isPossible);
  return possible.length === 1 ? possible[0] : undefined;
}
