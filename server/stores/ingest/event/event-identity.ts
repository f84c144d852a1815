/** Ids of events that have none of their own. See docs/decisions/0015-event-identity.md. */
import type { EventIdentity } from '#contract/events/ingest';

/** @param place index of the entry in the batch @returns its index in the body that the batch was split from */
export function indexInBody({ firstIndex, indexes }: EventIdentity, place: number): number {
  return indexes === undefined ? firstIndex + place : indexes[place]!;
}

export function generatedId({ base }: EventIdentity, bodyIndex: number): string {
  return `${base}-${bodyIndex.toString(36)}`;
}
