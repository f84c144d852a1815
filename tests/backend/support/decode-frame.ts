/** A frame's bytes as a host reads them: strictly, by the rules that make Grafana refuse a whole request. */
import { type Data, DataType, type Field, makeVector, RecordBatchFileReader, TimeUnit } from 'apache-arrow';

export interface DecodedField {
  readonly name: string;
  readonly type: 'time' | 'number' | 'string' | 'boolean' | 'json';
  readonly nullable: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
  /** Times are bigint nanoseconds, json is parsed. */
  readonly values: readonly unknown[];
}

export interface DecodedFrame {
  readonly name: string;
  readonly refId: string;
  readonly meta: {
    readonly type?: string;
    readonly typeVersion?: readonly number[];
    readonly executedQueryString?: string;
    readonly notices?: readonly { readonly severity: string; readonly text: string }[];
    readonly custom?: Readonly<Record<string, unknown>>;
    readonly preferredVisualisationType?: string;
  };
  readonly length: number;
  readonly fields: readonly DecodedField[];
  field(name: string): DecodedField;
}

const MAGIC = 'ARROW1';

export function decodeFrame(bytes: Uint8Array): DecodedFrame {
  if (Buffer.from(bytes.subarray(0, 6)).toString() !== MAGIC) throw new Error('The frame is not an Arrow file.');
  const reader = RecordBatchFileReader.from(bytes).open();
  const { schema } = reader;
  const { metadata } = schema;
  const batches = [...reader];
  const fields = schema.fields.map((field, index) =>
    decodeField(
      field,
      batches.map((batch) => batch.data.children[index]!)
    )
  );
  return {
    name: metadata.get('name') ?? fail('no name'),
    refId: metadata.get('refId') ?? fail('no refId'),
    meta: checkedMeta(JSON.parse(metadata.get('meta') ?? '{}') as DecodedFrame['meta']),
    length: batches.reduce((sum, batch) => sum + batch.numRows, 0),
    fields,
    field: (name) => fields.find((field) => field.name === name) ?? fail(`no field ${name}`),
  };
}

/** Fields may share a name: they are distinguished by their position. */
function decodeField(field: Field, chunks: readonly Data[]): DecodedField {
  const type = kindOf(field.type as DataType);
  const labels = JSON.parse(field.metadata.get('labels') ?? '{}') as Record<string, string>;
  for (const value of Object.values(labels)) if (typeof value !== 'string') fail('a label that is not text');
  if (!field.nullable && chunks.some(({ nullCount }) => nullCount > 0))
    fail(`nulls in ${field.name}, which is not nullable`);
  return {
    name: field.name,
    type,
    nullable: field.nullable,
    labels,
    config: checkedConfig(JSON.parse(field.metadata.get('config') ?? '{}') as Record<string, unknown>),
    values: chunks.flatMap((data) => valuesOf(data, type)),
  };
}

/** Grafana decodes this into typed structures: one wrong type fails every query of the request. */
function checkedMeta(meta: DecodedFrame['meta']): DecodedFrame['meta'] {
  const { typeVersion, notices = [] } = meta;
  if (typeVersion && (typeVersion.length !== 2 || !typeVersion.every(Number.isInteger)))
    fail('typeVersion is two integers');
  for (const notice of notices) {
    if (!['info', 'warning', 'error'].includes(notice.severity)) fail(`a notice of severity ${notice.severity}`);
    if ('inspect' in notice && !Number.isInteger(notice.inspect)) fail('inspect of a notice is a number');
  }
  for (const key of Object.keys(meta)) if (!META_KEYS.has(key)) fail(`${key} of the meta data would be dropped`);
  return meta;
}

const META_KEYS = new Set([
  ...['type', 'typeVersion', 'path', 'pathSeparator', 'custom', 'stats', 'notices', 'channel', 'dataTopic'],
  ...['preferredVisualisationType', 'preferredVisualisationPluginId', 'executedQueryString', 'uniqueRowIdFields'],
]);

function checkedConfig(config: Record<string, unknown>): Record<string, unknown> {
  if ('decimals' in config && !Number.isInteger(config['decimals'])) fail('decimals is an integer');
  if ('custom' in config && typeof config['custom'] !== 'object') fail('custom is an object');
  for (const key of ['unit', 'displayNameFromDS', 'description'])
    if (key in config && typeof config[key] !== 'string') fail(`${key} is a text`);
  return config;
}

function valuesOf(data: Data, type: DecodedField['type']): unknown[] {
  if (type === 'time')
    return Array.from({ length: data.length }, (_, row) =>
      data.getValid(row) ? (data.values as BigInt64Array)[row] : null
    );
  const values = [...makeVector(data)] as unknown[];
  if (type !== 'json') return values;
  return values.map((value) =>
    value === null ? null : (JSON.parse(Buffer.from(value as Uint8Array).toString()) as unknown)
  );
}

function kindOf(type: DataType): DecodedField['type'] {
  if (DataType.isTimestamp(type)) {
    if (type.unit !== TimeUnit.NANOSECOND || type.timezone) fail('times must be nanoseconds without a zone');
    return 'time';
  }
  if (DataType.isInt(type) || DataType.isFloat(type)) return 'number';
  if (DataType.isUtf8(type)) return 'string';
  if (DataType.isBool(type)) return 'boolean';
  if (DataType.isBinary(type)) return 'json';
  return fail(`Grafana refuses columns of type ${String(type)}`);
}

function fail(reason: string): never {
  throw new Error(`The frame would be refused: ${reason}.`);
}
