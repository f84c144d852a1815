/**
 * `ExportLogsServiceRequest` in OTLP-JSON: names in lowerCamelCase, ids in hexadecimal, INT64 as text or number, enums
 * as numbers, unknown names ignored. The names of the protobuf files (`resource_logs`) are accepted, too, as in
 * protobuf's own JSON parsers.
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { ServiceError } from '#contract/errors';
import type { JsonNode } from '../../../common/json/json-tree';
import { asBodyError } from '../json/body-error';
import { type JsonPart, JsonWalk, MAX_WRAPPED_VALUES } from '../json/json-walk';
import { orRefusal, RecordRefusal } from '../record-refusal';
import { tooManyEvents } from '../slice-list';
import type { EventStream, ReadEvent, SharedFacts } from '../events/sent-event';
import { toSentEvent } from './log-record';
import { readJsonRecord, readJsonResource, readJsonScope } from './json-record';

/** @param maxEvents limit of the request */
export function* readOtlpJson(body: Buffer, maxEvents: number): EventStream {
  try {
    yield* new OtlpJsonReader(body, maxEvents).read();
  } catch (error) {
    throw yield* asBodyError(error, body);
  }
}

interface ScopeIndex {
  readonly scope: JsonPart | null;
  /** Start and end of each record, in turn. */
  readonly records: readonly number[];
  /** Refusals by index of the start in `records`. */
  readonly refusals: ReadonlyMap<number, RecordRefusal>;
}

class OtlpJsonReader {
  private readonly walk: JsonWalk;
  private readonly maxEvents: number;
  private recordCount = 0;
  private groupCount = 0;

  constructor(body: Buffer, maxEvents: number) {
    this.walk = new JsonWalk(body);
    this.maxEvents = maxEvents;
  }

  *read(): EventStream {
    let first: string | null = null;
    let hasLogs = false;
    for (let key = yield* this.walk.openObject(); key !== null; key = yield* this.walk.nextKey()) {
      first ??= key;
      if (key !== 'resourceLogs' && key !== 'resource_logs') {
        if (this.walk.pass() === null) yield* this.walk.passLarge();
        continue;
      }
      hasLogs = true;
      for (let more = yield* this.walk.openArray(); more; more = yield* this.walk.nextItem())
        yield* this.readResourceLogs();
    }
    yield* this.walk.passBlanks();
    this.walk.ensureEnd();
    if (this.recordCount > this.maxEvents) throw tooManyEvents(this.maxEvents, this.recordCount);
    // Unknown names are ignored, but a body with only unknown names is a mistake.
    if (first !== null && !hasLogs) {
      throw new ServiceError('body_invalid', 'The request body has no "resourceLogs".', {
        reason: 'no_resource_logs',
        hint: 'names are written in lowerCamelCase',
      });
    }
  }

  /** Members come in any order, so the records are located first and read after the fields that they share. */
  private *readResourceLogs(): EventStream {
    this.countGroup();
    // A turn for each resource: an empty one yields nothing else.
    yield null;
    let resource: JsonPart | null = null;
    const scopes: ScopeIndex[] = [];
    for (let key = yield* this.walk.openObject(); key !== null; key = yield* this.walk.nextKey()) {
      if (key === 'resource') resource = this.walk.pass(MAX_WRAPPED_VALUES) ?? (yield* this.walk.passLarge());
      else if (key === 'scopeLogs' || key === 'scope_logs') {
        for (let more = yield* this.walk.openArray(); more; more = yield* this.walk.nextItem()) {
          const found = yield* this.indexScopeLogs();
          if (found.records.length > 0) scopes.push(found);
        }
      } else if (this.walk.pass() === null) yield* this.walk.passLarge();
    }
    // Beyond the limit, records are only counted.
    if (this.recordCount > this.maxEvents) return;
    const sharedResource = this.readPart(resource, readJsonResource);
    for (const { scope, records, refusals } of scopes) {
      const shared =
        sharedResource instanceof RecordRefusal
          ? sharedResource
          : this.readPart(scope, (node) => readJsonScope(node, sharedResource));
      for (let at = 0; at < records.length; at += 2) {
        const part = { start: records[at]!, end: records[at + 1]!, refusal: refusals.get(at) ?? null };
        yield this.readRecord(shared, part);
      }
    }
  }

  private *indexScopeLogs(): Generator<null, ScopeIndex> {
    this.countGroup();
    let scope: JsonPart | null = null;
    const records: number[] = [];
    const refusals = new Map<number, RecordRefusal>();
    for (let key = yield* this.walk.openObject(); key !== null; key = yield* this.walk.nextKey()) {
      if (key === 'scope') scope = this.walk.pass(MAX_WRAPPED_VALUES) ?? (yield* this.walk.passLarge());
      else if (key === 'logRecords' || key === 'log_records') {
        for (let more = yield* this.walk.openArray(); more; more = yield* this.walk.nextItem()) {
          const { start, end, refusal } = this.walk.pass(MAX_WRAPPED_VALUES) ?? (yield* this.walk.passLarge());
          if (refusal !== null) refusals.set(records.length, refusal);
          if (++this.recordCount <= this.maxEvents) records.push(start, end);
          yield null;
        }
      } else if (this.walk.pass() === null) yield* this.walk.passLarge();
    }
    yield null;
    return { scope, records, refusals };
  }

  private countGroup(): void {
    if (++this.groupCount > this.maxEvents)
      throw new ServiceError('body_too_large', `A request may hold ${this.maxEvents} resources and scopes.`, {
        hint: 'send smaller batches',
      });
  }

  private readPart(
    part: JsonPart | null,
    read: (node: JsonNode | undefined) => SharedFacts
  ): SharedFacts | RecordRefusal {
    return orRefusal(() => read(part === null ? undefined : this.walk.tree(part)));
  }

  private readRecord(shared: SharedFacts | RecordRefusal, part: JsonPart): ReadEvent {
    return { shared, event: orRefusal(() => toSentEvent(readJsonRecord(this.walk.tree(part)))) };
  }
}
