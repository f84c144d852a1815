/**
 * Places of a statement that may fail while it runs. A failure that the statement raises names its place by number; of
 * one that the store raises by itself the place is known where only one operation can fail in this way.
 */
import { ServiceError } from '#contract/errors';
import type { Site } from './ir/sites';

export interface FailurePlace {
  /** Null: outside of the caller's text, as in the saved query behind a sandbox. */
  readonly site: Site | null;
  /** Text of a call of ERROR. */
  readonly message?: string;
  /** Reasons with which the store itself may fail there. */
  readonly reasons: ReadonlySet<string>;
}

/** The error with the name of the function and its position, where they are known. */
export function atItsPlace(error: unknown, places: readonly FailurePlace[]): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { place: number, ...details } = error.details as ServiceError['details'] & { readonly place?: unknown };
  const place = typeof number === 'number' ? places[number] : onlyPlace(places, String(details.reason));
  if (!place?.site || details.position !== undefined) {
    return number === undefined ? error : new ServiceError(error.code, error.message, details, { cause: error.cause });
  }
  const { name, line, column } = place.site;
  return new ServiceError(
    error.code,
    `${name}: ${place.message ?? error.message}`,
    { ...details, position: { line, column } },
    { cause: error.cause }
  );
}

function onlyPlace(places: readonly FailurePlace[], reason: string): FailurePlace | undefined {
  const possible = places.filter(({ reasons }) => reasons.has(reason));
  return possible.length === 1 ? possible[0] : undefined;
}
