/**
 * Connection to ClickHouse for one user: statements over its HTTP interface. Errors are those of the client library.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { tooLarge } from './errors';
import type { ClickHouseOptions, ClickHouseUser } from './options';
import { quoteName } from './quoting';

/** Parameters by name; texts, numbers and arrays are bound by the server, and never part of the statement. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface RowsRequest {
  readonly sql: string;
  readonly parameters?: Parameters;
  readonly settings?: ClickHouseSettings;
  readonly signal?: AbortSignal;
  readonly queryId?: string;
}

export type CommandOptions = Pick<RowsRequest, 'settings' | 'signal'>;

export interface InsertRequest {
  readonly table: string;
  /** Columns of rows in `RowBinary`; null: rows are JSON objects, one per line. */
  readonly columns: string | null;
  /** Pieces of the body, in order. */
  readonly rows: readonly Buffer[];
  /** Deduplication token: of two inserts with one token the second is dropped. */
  readonly token: string;
  readonly settings?: ClickHouseSettings;
}

/**
 * The response begins when the statement is done, so that its status says whether it failed. With headers of progress
 * the status would be sent before.
 */
const WHOLE_RESPONSE: ClickHouseSettings = { wait_end_of_query: 1, send_progress_in_http_headers: 0 };

/**
 * A statement fails at a limit of the user's profile, and without a part of the cluster. Else rows that are missing
 * would be wrong counts, events stored twice, and events that are acknowledged and not stored.
 */
const COMPLETE_OR_FAILED: ClickHouseSettings = {
  read_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  skip_unavailable_shards: 0,
  limit: '0',
  offset: '0',
};

/**
 * Settings of reads: the result formats that this service expects, and a response that begins when the query is done.
 * A failure then always has an HTTP status, and never arrives between rows, where the client library cannot read an
 * error that is split over two packets (decision 0118).
 */
const READ_SETTINGS: ClickHouseSettings = {
  ...WHOLE_RESPONSE,
  ...COMPLETE_OR_FAILED,
  // An answer of before would lack events, also where events are looked up before they are stored.
  use_query_cache: 0,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 1,
  output_format_json_named_tuples_as_objects: 0,
  output_format_json_escape_forward_slashes: 0,
  date_time_output_format: 'simple',
};

/** Last line of a result; each row is a JSON array. */
const END = 'end';
/**
 * The format of results: `JSONCompactEachRow` with a last line. A proxy may end a response properly after a part of it,
 * such as one that asks ClickHouse by HTTP/1.0 while ClickHouse is killed, and the client library drops a row that is
 * cut.
 */
const RESULT_FORMAT: ClickHouseSettings = {
  format_custom_escaping_rule: 'JSON',
  format_custom_field_delimiter: ',',
  format_custom_row_before_delimiter: '[',
  format_custom_row_after_delimiter: ']\n',
  format_custom_row_between_delimiter: '',
  format_custom_result_before_delimiter: '',
  format_custom_result_after_delimiter: `${END}\n`,
};

/**
 * Settings for the format of inserted rows: texts stay texts. A column that a server does not know yet is filled from
 * its JSON path.
 */
const INSERT_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  date_time_input_format: 'basic',
  input_format_defaults_for_omitted_fields: 1,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  input_format_json_read_numbers_as_strings: 1,
  input_format_json_read_bools_as_strings: 1,
  input_format_skip_unknown_fields: 0,
  // A row that cannot be read fails the insert, and is found by halves.
  input_format_allow_errors_num: '0',
  input_format_allow_errors_ratio: 0,
  // The JSON column is a text in rows of `RowBinary`.
  input_format_binary_read_json_as_string: 1,
  insert_deduplicate: 1,
  // Overrides the setting before, and may be off in a profile of the user.
  deduplicate_insert: 'enable',
  // A batch is one block, so within a day it is stored completely or not at all.
  min_insert_block_size_rows: '1000000',
  min_insert_block_size_bytes: '0',
  ...COMPLETE_OR_FAILED,
  ...WHOLE_RESPONSE,
};

/**
 * With many parameters, the client sends a form, of which the statement is one field. ClickHouse takes fields of at
 * most 128 KiB (`http_max_field_value_size`), so a longer statement is a body, with its parameters in the URL.
 */
const MAX_FORM_SQL_BYTES = 127 * 1024;
/** ClickHouse takes URLs of 1 MiB (`http_max_uri_size`): this, and the settings. */
const MAX_URL_PARAMETER_BYTES = 1000 * 1024;

/** Length from which the client sends parameters as a form (`MAX_URL_BIND_PARAM_LENGTH` of its `multipart.ts`). */
const LONG_PARAMETER = 4096;

/**
 * More than queries that run at once (`LQE_MAX_RUNNING` is at most 256): a probe or a statement that ends a query must
 * not wait for one of them.
 */
const MAX_CONNECTIONS = 512;

/** Timeout for a server that sends nothing. */
const SILENCE_MS = 30_000;

export class Connection {
  private readonly client: ClickHouseClient;

  /** @param silenceMs timeout without data; longer for slow statements */
  constructor({ url, database }: ClickHouseOptions, { name, password }: ClickHouseUser, silenceMs = SILENCE_MS) {
    this.client = createClient({
      url,
      database,
      username: name,
      password,
      application: 'log-query-endpoints',
      request_timeout: silenceMs,
      max_open_connections: MAX_CONNECTIONS,
      // Results are small, and compressing them takes longer than sending them.
      compression: { request: false, response: false },
      use_multipart_params_auto: true,
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /**
   * Passes rows in groups as they arrive, each row an array. Ends early when `take` returns false.
   * @throws Error also when the result is incomplete
   */
  async stream(request: RowsRequest, take: (rows: unknown[][]) => boolean): Promise<void> {
    const { sql, parameters, settings, signal, queryId } = request;
    const answer = await this.client.query({
      query: sql,
      format: 'CustomSeparated',
      query_params: { ...parameters },
      ...placeOf(sql, parameters),
      query_id: queryId ?? newQueryId(),
      clickhouse_settings: { ...READ_SETTINGS, ...RESULT_FORMAT, ...settings },
      ...(signal && { abort_signal: signal }),
    });
    let isWhole = false;
    for await (const rows of answer.stream()) {
      signal?.throwIfAborted();
      isWhole = rows.at(-1)?.text === END;
      const found = isWhole ? rows.slice(0, -1) : rows;
      if (!take(found.map((row) => row.json<unknown[]>()))) return;
    }
    if (!isWhole) throw new Error('The response of ClickHouse ends before the end of the result.');
  }

  async rows(request: RowsRequest): Promise<unknown[][]> {
    const all: unknown[][] = [];
    await this.stream(request, (rows) => {
      for (const row of rows) all.push(row);
      return true;
    });
    return all;
  }

  /**
   * Response of a statement that names its format, as it arrives. A failure in the middle ends it early: the receiver
   * must recognize an incomplete response.
   */
  async bytes({ sql, parameters, settings, signal, queryId }: RowsRequest): Promise<Readable> {
    const { stream } = await this.client.exec({
      query: sql,
      query_params: { ...parameters },
      query_id: queryId ?? newQueryId(),
      clickhouse_settings: { ...COMPLETE_OR_FAILED, ...settings },
      ...(signal && { abort_signal: signal }),
    });
    return stream;
  }

  async command(sql: string, { settings, signal }: CommandOptions = {}): Promise<void> {
    const { stream } = await this.client.exec({
      query: sql,
      query_id: newQueryId(),
      clickhouse_settings: { ...COMPLETE_OR_FAILED, ...settings, ...WHOLE_RESPONSE },
      ...(signal && { abort_signal: signal }),
    });
    const text = await startOf(stream);
    if (EXCEPTION.test(text)) throw new Error(text);
  }

  async insert({ table, columns, rows, token, settings }: InsertRequest): Promise<void> {
    const { stream } = await this.client.exec({
      query: `INSERT INTO ${quoteName(table)} ${columns === null ? 'FORMAT JSONEachRow' : `(${columns}) FORMAT RowBinary`}`,
      values: Readable.from(rows, { objectMode: false }),
      query_id: newQueryId(),
      clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: token, ...settings },
    });
    // The end of the response means that the insert is complete and the connection is free. Of an insert that was
    // stored it is empty: anything else is an exception after the status, or not from ClickHouse.
    const text = await startOf(stream);
    if (text !== '') throw new Error(text);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** An exception in the body of a response whose status was sent before. */
const EXCEPTION = /^Code: \d+\. DB::Exception/m;
/** More than an error needs that is reported by its code. */
const MAX_TEXT_BYTES = 64 * 1024;

/** Reads a response to its end. @returns its first part */
async function startOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (bytes < MAX_TEXT_BYTES) chunks.push(chunk);
    bytes += chunk.byteLength;
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function newQueryId(): string {
  return `lqe-${randomUUID()}`;
}

/**
 * Parameters go into the URL, or into a form when they are long.
 *
 * @throws ServiceError `query_too_complex` for parameters that fit neither a form nor a URL
 */
function placeOf(sql: string, parameters: Parameters = {}) {
  if (Buffer.byteLength(sql) <= MAX_FORM_SQL_BYTES) {
    // The client would write them for the URL first, character by character, to see that they are too long for it.
    const isLong = Object.values(parameters).some(
      (value) => typeof value === 'string' && value.length > LONG_PARAMETER
    );
    return isLong ? { use_multipart_params: true } : { use_multipart_params_auto: true };
  }
  let bytes = 0;
  for (const [name, value] of Object.entries(parameters))
    bytes += `&param_${name}=${encodeURIComponent(String(value))}`.length;
  if (bytes > MAX_URL_PARAMETER_BYTES) throw tooLarge();
  return { use_multipart_params_auto: false };
}
