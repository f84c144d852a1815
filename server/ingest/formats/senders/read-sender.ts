/** Reads the body of a sender: its JSON objects, each in the form of that sender. */
import type { SenderFormat } from '#contract/routes/sender-formats';
import { MAX_ENTRY_VALUES } from '#contract/events/source';
import { RecordRefusal } from '../record-refusal';
import type { EventStream, SharedFacts } from '../events/sent-event';
import { readCloudEvent } from './cloud-event';
import { readCloudflare, readNetlify, readVercel } from './platforms';
import { readObjects } from './read-objects';
import type { ReadSender, SenderHeaders } from './sender-event';
import { readAnyJson, readGithub } from './webhooks';

/** Forms whose objects are not the service's own events. */
export type ConvertedFormat = Exclude<SenderFormat, 'vector' | SyslogFormat>;

/** Forms that are not JSON. */
export type SyslogFormat = 'logplex' | 'syslogs';

const READERS: Readonly<Record<ConvertedFormat, ReadSender>> = {
  json: readAnyJson,
  vercel: readVercel,
  netlify: readNetlify,
  cloudflare: readCloudflare,
  'cloud-event': readCloudEvent,
  github: readGithub,
};

const NOTHING_SHARED: SharedFacts = { attributes: new Map(), records: [], source: null, service: null };

/** About half of a delivery are addresses, which are left out of the event. */
const MAX_GITHUB_VALUES = 2 * MAX_ENTRY_VALUES;

export function* readSender(
  format: ConvertedFormat,
  headers: SenderHeaders,
  body: Buffer,
  maxEvents: number
): EventStream {
  const read = READERS[format];
  let index = 0;
  for (const object of readObjects(body, maxEvents, format === 'github' ? MAX_GITHUB_VALUES : MAX_ENTRY_VALUES)) {
    if (object === null) yield null;
    else
      yield { shared: NOTHING_SHARED, event: object instanceof RecordRefusal ? object : read(object, headers, index) };
    if (object !== null) index++;
  }
}
