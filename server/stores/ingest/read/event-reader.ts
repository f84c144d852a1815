/**
 * Reads entries of one source into rows. Top-level keys: `id`, `timestamp`, the message under the first of
 * `MESSAGE_KEYS`, `metadata` and the source's own columns. Any other top-level key is stored in metadata, unless
 * metadata has that key itself. A line of a logger without a message key and a timestamp has them in `msg` and `time`,
 * and an event without a timestamp has it in `@timestamp`; these stay in metadata.
 */
import type { EventIdentity, IngestRequest } from '#contract/events/ingest';
import {
  MAX_ENTRY_BYTES,
  MAX_ENTRY_VALUES,
  MAX_RECORD_DEPTH,
  type ScalarType,
  type Source,
} from '#contract/events/source';
import { compactJson } from './compact-json';
import { loggerLineOf } from '../../../common/json/logger-line';
import { readId, readLineTime, readOtherTime, readText, readTime } from './envelope-values';
import { generatedId } from '../event/event-identity';
import { EntryRejection, type EventRow } from '../event/event-row';
import { EventScanner, type TopLevelSlot } from './event-scanner';
import type { FieldTree } from '../fields/field-tree';
import { textForColumn } from '../fields/field-types';
import { fitMetadata } from './fit-metadata';
import { withNumberTexts } from './number-texts';
import { Token } from '../../../common/json/json-token';
import {
  type JsonNode,
  type JsonObject,
  readJsonObject,
  recordDepth,
  decodeJsonString,
} from '../../../common/json/json-tree';
import { EventTenant } from '../event/event-tenant';
import { MICROS_PER_DAY } from '../event/timestamp';

const EMPTY_METADATA = Buffer.from('{}');
/** Keys of a line of a logger. A source that has one of them as an own column has no such lines. */
const LOGGER_KEYS = ['level', 'time', 'ts', 'msg'] as const;
/** Keys of the message in order of precedence, except those that are own columns. */
const MESSAGE_KEYS = ['event_message', 'message', 'log_entry'] as const;

interface OwnColumn {
  readonly name: string;
  readonly type: ScalarType;
}

/** Values of an entry outside its metadata. */
interface Envelope {
  readonly id: string | null;
  readonly micros: number | null;
  readonly message: string | null;
  readonly own: (string | null)[];
  tenant: string | null;
}

export class EventReader {
  readonly scanner: EventScanner;
  private readonly source: Source;
  private readonly tree: FieldTree;
  private readonly ownColumns: readonly OwnColumn[];
  private readonly messageKeys: readonly string[];
  private readonly takesLoggerLines: boolean;
  private readonly slots: {
    readonly id: TopLevelSlot;
    readonly timestamp: TopLevelSlot;
    readonly messages: readonly TopLevelSlot[];
    readonly metadata: TopLevelSlot;
    readonly own: readonly TopLevelSlot[];
  };
  private readonly tenant: EventTenant;
  private identity: EventIdentity = { base: '', firstIndex: 0 };
  private nowMicros = 0;
  private oldestMicros = 0;

  constructor(source: Source, tree: FieldTree) {
    this.source = source;
    this.tree = tree;
    this.ownColumns = Object.entries(source.columns).map(([name, type]) => ({ name, type }));
    this.tenant = new EventTenant(source, tree);
    this.messageKeys = MESSAGE_KEYS.filter((key) => !Object.hasOwn(source.columns, key));
    this.takesLoggerLines = !LOGGER_KEYS.some((key) => Object.hasOwn(source.columns, key));
    const names = ['id', 'timestamp', ...this.messageKeys, ...this.ownColumns.map(({ name }) => name)];
    const scanner = new EventScanner(tree, names);
    this.scanner = scanner;
    this.slots = {
      id: scanner.slot('id'),
      timestamp: scanner.slot('timestamp'),
      messages: this.messageKeys.map((key) => scanner.slot(key)),
      metadata: scanner.slot('metadata'),
      own: this.ownColumns.map(({ name }) => scanner.slot(name)),
    };
  }

  beginBatch({ nowMicros, identity, tenant }: Pick<IngestRequest, 'nowMicros' | 'identity' | 'tenant'>): void {
    this.nowMicros = nowMicros;
    this.identity = identity;
    this.tenant.beginBatch(tenant);
    this.scanner.watch(this.tenant.node);
    this.oldestMicros = nowMicros - this.source.retention_days * MICROS_PER_DAY;
    this.tree.beginBatch(tenant?.confinedTo ?? null);
  }

  /**
   * Makes a row of the entry that the scanner has just read.
   * @throws EntryRejection
   */
  read(buffer: Buffer, start: number, end: number, token: Token, index: number): EventRow {
    const { scanner } = this;
    if (end - start > MAX_ENTRY_BYTES) {
      throw new EntryRejection('too_large', `the entry is longer than ${MAX_ENTRY_BYTES} bytes`);
    }
    if (scanner.tooDeep) throw new EntryRejection('too_deep', 'the entry is nested too deep');
    if (scanner.valueCount > MAX_ENTRY_VALUES) {
      throw new EntryRejection(
        'too_many_values',
        `the entry holds ${scanner.valueCount} values, and ${MAX_ENTRY_VALUES} is the limit`
      );
    }
    if (token !== Token.object) throw new EntryRejection('not_an_object', 'an entry must be a JSON object');
    const isText = !scanner.sawLoneSurrogate && !scanner.sawNul;
    const isPlain = this.tenant.isScanned && !scanner.needsCare && isText && this.hasPlainEnvelope();
    return (isPlain ? this.readPlain(buffer, index) : null) ?? this.readWithCare(buffer, start, end, index);
  }

  private hasPlainEnvelope(): boolean {
    const { metadata } = this.slots;
    const message = this.messageSlot();
    return message !== null && message.token <= Token.null && metadata.token !== Token.null;
  }

  /** @returns the first slot when the entry has no message, null when it has several */
  private messageSlot(): TopLevelSlot | null {
    const { messages } = this.slots;
    let found: TopLevelSlot | null = null;
    for (let i = 0; i < messages.length; i++) {
      const slot = messages[i]!;
      if (slot.token === Token.absent) continue;
      if (found !== null) return null;
      found = slot;
    }
    return found ?? messages[0]!;
  }

  /** @returns null for an entry that must be changed before it is stored. */
  private readPlain(buffer: Buffer, index: number): EventRow | null {
    const { slots, scanner } = this;
    const envelope: Envelope = {
      id: readId(slotScalar(buffer, slots.id)),
      micros: readTime(slotScalar(buffer, slots.timestamp)),
      message: readText(slotScalar(buffer, this.messageSlot()!)),
      own: slots.own.map((slot, i) => this.readOwn(i, slotScalar(buffer, slot))),
      tenant: null,
    };
    this.ensureInRetention(envelope);
    const named = this.tenant.columnIndex === null ? scanner.watchedText() : envelope.own[this.tenant.columnIndex]!;
    envelope.tenant = this.tenant.resolve(named);
    if (envelope.tenant !== named) {
      if (named !== null || this.tenant.columnIndex === null) return null;
      envelope.own[this.tenant.columnIndex] = envelope.tenant;
    }
    const { metadata } = slots;
    if (metadata.token === Token.absent) return this.row(index, envelope, EMPTY_METADATA, 0, 2, null);
    if (metadata.token !== Token.object && metadata.token !== Token.array) throw badMetadata();
    this.scanner.touchFields();
    if (metadata.token === Token.object && !metadata.hasSpace && this.scanner.brackets.length === 0) {
      return this.row(index, envelope, buffer, metadata.start, metadata.end, null);
    }
    const compact = compactJson(buffer, metadata.start, metadata.end, this.scanner.brackets);
    return this.row(index, envelope, compact, 0, compact.length, null);
  }

  private readWithCare(buffer: Buffer, start: number, end: number, index: number): EventRow {
    const { members } = readJsonObject(buffer, start, end);
    const givenKey = this.messageKeys.find((key) => members.has(key));
    const messageKey = givenKey ?? MESSAGE_KEYS[0];
    const line = givenKey === undefined && this.takesLoggerLines ? loggerLineOf(members) : null;
    const envelope: Envelope = {
      id: readId(members.get('id')),
      micros:
        readTime(members.get('timestamp')) ?? (line && readLineTime(line)) ?? readOtherTime(members.get('@timestamp')),
      message: line?.message ?? readText(members.get(messageKey)),
      own: this.ownColumns.map(({ name }, i) => this.readOwn(i, members.get(name))),
      tenant: null,
    };
    this.ensureInRetention(envelope);
    const metadata = new Map(readMetadata(members.get('metadata')).members);
    const known = new Set<string>(['id', 'timestamp', 'metadata', messageKey, ...Object.keys(this.source.columns)]);
    for (const [key, value] of members) {
      if (!known.has(key) && !metadata.has(key)) metadata.set(key, value);
    }
    envelope.tenant = this.tenant.place(envelope.own, metadata);
    const record = withNumberTexts({ token: Token.object, members: metadata });
    if (recordDepth(record) > MAX_RECORD_DEPTH + 1) {
      throw new EntryRejection('too_deep', `metadata is nested deeper than ${MAX_RECORD_DEPTH} records`);
    }
    const fitted = fitMetadata(this.tree, record);
    const text = Buffer.from(fitted.text, 'utf8');
    return this.row(index, envelope, text, 0, text.length, fitted.columnsText);
  }

  private row(
    index: number,
    envelope: Envelope,
    buffer: Buffer,
    metadataStart: number,
    metadataEnd: number,
    columnsText: string | null
  ): EventRow {
    const { micros, message, own, tenant } = envelope;
    return {
      index,
      id: envelope.id ?? generatedId(this.identity, index),
      tenant,
      micros: micros ?? this.nowMicros,
      hasOwnTime: micros !== null,
      message,
      own,
      buffer,
      metadataStart,
      metadataEnd,
      columnsText,
    };
  }

  private readOwn(index: number, value: JsonNode | undefined): string | null {
    const { name, type } = this.ownColumns[index]!;
    if (value === undefined || value.token === Token.null) return null;
    if (value.token === Token.object || value.token === Token.array) throw badValue(name, type);
    if (type === 'STRING') return value.text;
    const text = textForColumn(type, value);
    if (text === null) throw badValue(name, type);
    return text;
  }

  private ensureInRetention({ micros }: Envelope): void {
    if (micros === null) return;
    if (micros < this.oldestMicros) {
      throw new EntryRejection(
        'out_of_retention',
        `the event is older than the ${this.source.retention_days} days that are kept`
      );
    }
    if (micros > this.nowMicros + MICROS_PER_DAY) {
      throw new EntryRejection('out_of_retention', 'the event is more than a day in the future');
    }
  }
}

function slotScalar(buffer: Buffer, slot: TopLevelSlot): JsonNode | undefined {
  const { token, start, end } = slot;
  switch (token) {
    case Token.absent:
      return undefined;
    case Token.object:
    case Token.array:
      return { token: Token.array, items: [] };
    case Token.string: {
      const text = slot.hasEscape ? decodeJsonString(buffer, start, end) : buffer.toString('utf8', start + 1, end - 1);
      return { token, text };
    }
    default:
      return { token, text: buffer.toString('latin1', start, end) };
  }
}

function readMetadata(value: JsonNode | undefined): JsonObject {
  const none: JsonObject = { token: Token.object, members: new Map() };
  if (value === undefined || value.token === Token.null) return none;
  if (value.token === Token.object) return value;
  if (value.token !== Token.array || value.items.length > 1) throw badMetadata();
  if (value.items.length === 0) return none;
  const [only] = value.items;
  if (only?.token !== Token.object) throw badMetadata();
  return only;
}

function badMetadata(): EntryRejection {
  return new EntryRejection('bad_metadata', '"metadata" must be an object, or an array of one object');
}

function badValue(name: string, type: ScalarType): EntryRejection {
  return new EntryRejection('bad_value', `"${name}" must be of type ${type}`);
}
