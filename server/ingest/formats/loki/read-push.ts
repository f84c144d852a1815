/**
 * JSON form of Loki's push: `{"streams":[{"stream":{labels},"values":[["<nanoseconds>","<line>",{structured
 * metadata}]]}]}`.
 * @see https://grafana.com/docs/loki/latest/reference/loki-http-api/
 */
import { ServiceError } from '#contract/errors';
import { Token } from '../../../common/json/json-token';
import type { JsonNode } from '../../../common/json/json-tree';
import { asBodyError } from '../json/body-error';
import { type JsonPart, JsonWalk } from '../json/json-walk';
import { orRefusal, type RecordRefusal } from '../record-refusal';
import { tooManyEvents } from '../slice-list';
import type { EventStream, SentEvent, SharedFacts } from '../events/sent-event';
import { checkNanos, lineEvent, shareLabels, wrong } from './push-entry';

/** @param maxEvents limit of the request */
export function* readLokiPush(body: Buffer, maxEvents: number): EventStream {
  try {
    yield* new LokiReader(body, maxEvents).read();
  } catch (error) {
    throw yield* asBodyError(error, body);
  }
}

class LokiReader {
  private readonly walk: JsonWalk;
  private readonly maxEvents: number;
  private count = 0;
  private streamCount = 0;

  constructor(body: Buffer, maxEvents: number) {
    this.walk = new JsonWalk(body);
    this.maxEvents = maxEvents;
  }

  *read(): EventStream {
    let hasStreams = false;
    for (let key = yield* this.walk.openObject(); key !== null; key = yield* this.walk.nextKey()) {
      if (key !== 'streams') {
        if (this.walk.pass() === null) yield* this.walk.passLarge();
        continue;
      }
      hasStreams = true;
      for (let more = yield* this.walk.openArray(); more; more = yield* this.walk.nextItem()) yield* this.readStream();
    }
    yield* this.walk.passBlanks();
    this.walk.ensureEnd();
    if (this.count > this.maxEvents) throw tooManyEvents(this.maxEvents, this.count);
    if (!hasStreams)
      throw new ServiceError('body_invalid', 'The request body has no "streams".', { reason: 'no_streams' });
  }

  /** Members come in any order, so the values are located first and read after the labels. */
  private *readStream(): EventStream {
    if (++this.streamCount > this.maxEvents)
      throw new ServiceError('body_too_large', `A request may hold ${this.maxEvents} streams.`);
    let labels: JsonPart | null = null;
    const values: JsonPart[] = [];
    for (let key = yield* this.walk.openObject(); key !== null; key = yield* this.walk.nextKey()) {
      if (key === 'stream') labels = this.walk.pass() ?? (yield* this.walk.passLarge());
      else if (key === 'values') {
        for (let more = yield* this.walk.openArray(); more; more = yield* this.walk.nextItem()) {
          const value = this.walk.pass() ?? (yield* this.walk.passLarge());
          if (++this.count <= this.maxEvents) values.push(value);
          yield null;
        }
      } else if (key === 'entries') {
        throw new ServiceError('body_invalid', 'A stream has "values", not "entries".', { reason: 'old_form' });
      } else if (this.walk.pass() === null) yield* this.walk.passLarge();
    }
    yield null;
    // Beyond the limit, entries are only counted.
    if (values.length === 0 || this.count > this.maxEvents) return;
    const shared = orRefusal(() =>
      shareLabels(labels === null ? new Map() : textMembers(this.walk.tree(labels), 'stream'))
    );
    for (const value of values) yield { shared, event: orRefusal(() => readValue(this.walk.tree(value), shared)) };
  }
}

/** Fields in order of precedence: structured metadata, then the fields of a line that is a JSON object. */
function readValue(node: JsonNode, shared: SharedFacts | RecordRefusal): SentEvent {
  const items = node.token === Token.array ? node.items : [];
  const [time, line, metadata] = items;
  if (items.length < 2 || items.length > 3 || line?.token !== Token.string)
    throw wrong('values', 'arrays of nanoseconds and line, with an object behind them if need be');
  const fields = metadata === undefined ? new Map<string, JsonNode>() : textMembers(metadata, 'values');
  return lineEvent(readNanos(time!), line.text, fields, shared);
}

function readNanos(node: JsonNode): bigint {
  const isWritten = node.token === Token.string || node.token === Token.integer || node.token === Token.oddNumber;
  const text = isWritten ? node.text : '';
  if (!/^-?\d{1,30}$/.test(text)) throw wrong('values', 'led by nanoseconds since 1970, as text');
  return checkNanos(BigInt(text));
}

function textMembers(node: JsonNode, what: string): Map<string, JsonNode> {
  if (node.token === Token.null) return new Map();
  if (node.token !== Token.object) throw wrong(what, 'objects whose values are text');
  for (const value of node.members.values())
    if (value.token !== Token.string) throw wrong(what, 'objects whose values are text');
  return new Map(node.members);
}
