/** Sends the sample logs to the running server, over HTTP like any log shipper. */
import { createEventSender } from '../../build/server/cli/demo/event-sender.js';
import { createProgress } from '../../build/server/cli/import/progress.js';
import { sampleTraffic } from '../../build/server/cli/sample-data/sample-logs.js';

/** Events of all sources in one group, so that batches of the largest have about a thousand. */
const GROUP_EVENTS = 2000;
/** One group is stored while the next one is made. */
const GROUPS_UNDER_WAY = 2;

/**
 * @param {{ url: string, token: string, sample:
 *   import('../../build/server/cli/sample-data/sample-logs.js').SampleOptions, stopping: AbortSignal }} load
 * @returns how many events the server took; fewer than announced when it was stopped on the way.
 */
export async function loadSampleLogs({ url, token, sample, stopping }) {
  const progress = createProgress({ label: 'Loading sample logs', total: sample.edgeRequests });
  const sender = createEventSender({ url, token, signal: stopping, onWait: (reason) => progress.note(reason) });
  let stored = 0;
  let edgeRequests = 0;
  /** @type {Set<Promise<void>>} */
  const underWay = new Set();
  try {
    for (const group of groups(sampleTraffic(sample))) {
      if (stopping.aborted) return stored;
      const sent = sender.send(group).then((count) => {
        underWay.delete(sent);
        stored += count;
        edgeRequests += group.filter(({ source }) => source === 'edge_requests').length;
        progress.update(edgeRequests, stored);
      });
      underWay.add(sent);
      if (underWay.size >= GROUPS_UNDER_WAY) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    return stored;
  } finally {
    progress.stop();
    // Awaits the groups in flight, too, whose rejections would be unhandled.
    await Promise.allSettled(underWay);
  }
}

/**
 * @template T
 * @param {Iterable<T>} events
 */
function* groups(events) {
  /** @type {T[]} */
  let group = [];
  for (const event of events) {
    group.push(event);
    if (group.length < GROUP_EVENTS) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
