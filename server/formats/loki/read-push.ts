/**
 * JSON form of Loki's push: `{"streams":[{"stream":{labels},"values":[["<nanoseconds>","<line>",{structured
 * metadata}]]}]}`.
 * @see https://grafana.com/docs/loki/latest/reference/loki-http-api/
 */
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_VALUES } from '#contract/source';
import { JsonLexer, JsonSyntaxError } from '../json/json-lexer';
import { Token } from '../json/json-token';
import { type JsonNode, type JsonObject, readJsonTree } from '../json/json-tree';
import { asBodyError, type JsonPart, JsonWalk } from '../json-walk';
import { orRefusal, RecordRefusal } from '../record-refusal';
import { tooManyEvents } from '../slice-list';
import { type EventStream, MAX_NANOS, type SentEvent, type SharedFacts, type SourceNames, textOf } from '../sent-event';

/** Names without dots, which labels cannot contain. */
export const LOKI_NAMES: SourceNames = { source: 'lqe_source', service: 'service_name' };

/** @param maxEvents limit of the request */
export function* readLokiPush(body: Buffer, maxEvents: number): EventStream {
  try {
    yield* new LokiReader(body, maxEvents).read();
  } catch (error) {
    throw asBodyError(error, body);
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
    for (const key of this.walk.keys()) {
      if (key !== 'streams') {
        if (this.walk.pass() === null) yield* this.walk.passLarge();
        continue;
      }
      hasStreams = true;
      for (let more = this.walk.openArray(); more; more = this.walk.nextItem()) yield* this.readStream();
    }
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
    for (const key of this.walk.keys()) {
      if (key === 'stream') labels = this.walk.pass() ?? (yield* this.walk.passLarge());
      else if (key === 'values') {
        for (let more = this.walk.openArray(); more; more = this.walk.nextItem()) {
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
    const shared = orRefusal(() => shareLabels(labels === null ? null : this.walk.tree(labels)));
    for (const value of values) yield { shared, event: orRefusal(() => readValue(this.walk.tree(value), shared)) };
  }
}

function shareLabels(node: JsonNode | null): SharedFacts {
  const labels = node === null ? new Map<string, JsonNode>() : textMembers(node, 'stream');
  const attributes = new Map(labels);
  attributes.delete(LOKI_NAMES.source);
  return {
    attributes,
    records: attributes.size === 0 ? [] : [['labels', { token: Token.object, members: attributes }]],
    source: textOf(labels.get(LOKI_NAMES.source)),
    service: textOf(labels.get(LOKI_NAMES.service)),
  };
}

/** Fields in order of precedence: structured metadata, then the fields of a line that is a JSON object. */
function readValue(node: JsonNode, shared: SharedFacts | RecordRefusal): SentEvent {
  const items = node.token === Token.array ? node.items : [];
  const [time, line, metadata] = items;
  if (items.length < 2 || items.length > 3 || line?.token !== Token.string)
    throw wrong('values', 'arrays of nanoseconds and line, with an object behind them if need be');
  const fields = metadata === undefined ? new Map<string, JsonNode>() : textMembers(metadata, 'values');
  const source = textOf(fields.get(LOKI_NAMES.source));
  fields.delete(LOKI_NAMES.source);
  for (const [name, value] of lineFields(line.text)) if (!fields.has(name)) fields.set(name, value);
  const level = fields.get('detected_level') ?? labelLevel(shared);
  if (level !== undefined && !fields.has('level')) fields.set('level', level);
  return { id: null, nanos: readNanos(time!), message: line.text, fields, source };
}

/** The label of the level, by its names in Loki and its agents. */
function labelLevel(shared: SharedFacts | RecordRefusal): JsonNode | undefined {
  if (shared instanceof RecordRefusal) return undefined;
  return shared.attributes.get('level') ?? shared.attributes.get('detected_level');
}

function readNanos(node: JsonNode): bigint {
  const isWritten = node.token === Token.string || node.token === Token.integer || node.token === Token.oddNumber;
  const text = isWritten ? node.text : '';
  if (!/^-?\d{1,30}$/.test(text)) throw wrong('values', 'led by nanoseconds since 1970, as text');
  const nanos = BigInt(text);
  if (nanos < 0n || nanos > MAX_NANOS)
    throw new RecordRefusal('bad_timestamp', 'the time is not within the years 1970 to 2554');
  return nanos;
}

/** Fields of a line that is a JSON object within the limits of an event; any other line has none. */
function lineFields(line: string): Iterable<readonly [string, JsonNode]> {
  if (!line.startsWith('{')) return [];
  const bytes = Buffer.from(line);
  const lexer = new LineLexer();
  return lexer.isWholeValue(bytes) ? (readJsonTree(bytes, 0, bytes.length) as JsonObject).members : [];
}

class LineLexer extends JsonLexer {
  isWholeValue(bytes: Buffer): boolean {
    this.open(bytes, 0, bytes.length);
    this.resetFacts();
    try {
      this.skipValue(0);
    } catch (error) {
      if (error instanceof JsonSyntaxError) return false;
      throw error;
    }
    return this.peek() === 0 && this.position === bytes.length && !this.tooDeep && this.valueCount <= MAX_ENTRY_VALUES;
  }
}

function textMembers(node: JsonNode, what: string): Map<string, JsonNode> {
  if (node.token === Token.null) return new Map();
  if (node.token !== Token.object) throw wrong(what, 'objects whose values are text');
  for (const value of node.members.values())
    if (value.token !== Token.string) throw wrong(what, 'objects whose values are text');
  return new Map(node.members);
}

function wrong(what: string, expected: string): ServiceError {
  return new ServiceError('body_invalid', `"${what}" of a stream must be ${expected}.`, { reason: 'bad_value' });
}
