/** Settings of V8's garbage collection that its defaults get wrong for processes that read request bodies. */
import { setFlagsFromString } from 'node:v8';

/** How much the old generation may grow between two full collections, in percent of what the last one left. */
const GROWTH_PERCENT = 200;

/**
 * V8 derives that growth from how fast JavaScript objects are created, and does not see the memory of request bodies.
 * At worst it is 10 %, and then every 15 batches cause a full collection (measured: 8.8 instead of 3.9 us of processor
 * time an event, in half of the runs).
 */
export function boundFullCollections(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
