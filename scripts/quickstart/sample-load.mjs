/** Sends the sample logs to the running server, over HTTP like any log shipper. */
import { createIngestClient } from '../../build/server/cli/import/ingest-client.js';
import { createProgress } from '../../build/server/cli/import/progress.js';
import { SAMPLE_SOURCE_NAMES, sampleCount, sampleEvents } from '../../build/server/sample-data/sample-logs.js';

const BATCH_EVENTS = 1000;
/** One batch is stored while the next one is made. */
const BATCHES_UNDER_WAY = 2;

/**
 * @param {{ url: string, token: string, sample: import('../../server/sample-data/sample-logs').SampleOptions, stopping: AbortSignal }} load
 * @returns how many events the server took; fewer than announced when it was stopped on the way.
 */
export async function loadSampleLogs({ url, token, sample, stopping }) {
  const total = SAMPLE_SOURCE_NAMES.reduce((sum, source) => sum + sampleCount(source, sample), 0);
  const progress = createProgress({ label: 'Loading sample logs', total });
  let stored = 0;
  try {
    for (const source of SAMPLE_SOURCE_NAMES) {
      const client = createIngestClient(
        { url, token, source },
        { signal: stopping, onWait: (reason) => progress.note(reason) }
      );
      const underWay = new Set();
      for (const batch of batches(sampleEvents(source, sample))) {
        if (stopping.aborted) return stored;
        const sent = client.send(Buffer.from(batch.join('\n'))).then((answer) => {
          if (answer === 'too_large' || answer.rejected > 0)
            throw new Error(`The server refused sample logs of ${source}.`);
          underWay.delete(sent);
          stored += answer.accepted;
          progress.update(stored, stored);
        });
        underWay.add(sent);
        if (underWay.size >= BATCHES_UNDER_WAY) await Promise.race(underWay);
      }
      await Promise.all(underWay);
    }
    return stored;
  } finally {
    progress.stop();
  }
}

function* batches(events) {
  let lines = [];
  for (const event of events) {
    lines.push(JSON.stringify(event));
    if (lines.length < BATCH_EVENTS) continue;
    yield lines;
    lines = [];
  }
  if (lines.length > 0) yield lines;
}
