/** Calls the data source as Explore and dashboards do where no editor takes part; answers are plain JSON, to be looked at by the tests. */
import {
  CoreApp,
  dateTime,
  getFieldDisplayName,
  LogRowContextQueryDirection,
  SupplementaryQueryType,
  type DataFrame,
  type DataQuery,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
  type LogRowModel,
} from '@grafana/data';
import { lastValueFrom, type Observable } from 'rxjs';

const RANGE_MS = 2 * 3_600_000;
const INTERVAL_MS = 60_000;

/** The methods beyond the host's base class that the tests ask for. */
interface Explorable extends DataSourceApi {
  getSupplementaryRequest(
    type: SupplementaryQueryType,
    request: DataQueryRequest<DataQuery>
  ): DataQueryRequest<DataQuery> | undefined;
  getLogRowContext(row: LogRowModel, options: object, query: DataQuery): Promise<DataQueryResponse>;
  toggleQueryFilter(query: DataQuery, action: object): DataQuery;
}

export interface PlainFrame {
  readonly length: number;
  readonly notices: readonly string[];
  readonly fields: ReadonlyArray<{
    readonly name: string;
    readonly type: string;
    /** What a panel calls it. */
    readonly displayName: string;
    readonly labels?: object;
    readonly links: number;
    readonly values: readonly unknown[];
  }>;
}

export function createExplored(datasource: DataSourceApi) {
  const source = datasource as Explorable;
  const run = async (request: DataQueryRequest<DataQuery> | undefined): Promise<DataFrame[]> => {
    if (!request) return [];
    const { data, error } = await lastValueFrom(source.query(request as never) as Observable<DataQueryResponse>);
    if (error) throw new Error(error.message);
    return data;
  };
  return {
    query: async (query: DataQuery, more: object = {}) => (await run(requestOf(query, more))).map(plain),
    volume: async (query: DataQuery) =>
      (await run(source.getSupplementaryRequest(SupplementaryQueryType.LogsVolume, requestOf(query)))).map(plain),
    sample: async (query: DataQuery) =>
      (await run(source.getSupplementaryRequest(SupplementaryQueryType.LogsSample, requestOf(query)))).map(plain),
    /** Around one line of the query's answer. */
    context: async (query: DataQuery, rowIndex: number, direction: 'Forward' | 'Backward', limit: number) => {
      const [dataFrame] = await run(requestOf(query));
      const timeEpochMs = Number(dataFrame!.fields[0]!.values[rowIndex]);
      const row = { dataFrame, rowIndex, timeEpochMs, timeEpochNs: `${timeEpochMs}000000` } as LogRowModel;
      const options = { direction: LogRowContextQueryDirection[direction], limit };
      return (await source.getLogRowContext(row, options, query)).data.map(plain);
    },
    filtered: (query: DataQuery, key: string, value: string) =>
      source.toggleQueryFilter(query, { type: 'FILTER_FOR', options: { key, value } }),
    tagKeys: () => source.getTagKeys!(),
    tagValues: (key: string) => source.getTagValues!({ key, filters: [] }),
  };
}

function requestOf(query: DataQuery, more: object = {}): DataQueryRequest<DataQuery> {
  const now = Date.now();
  const range = { from: dateTime(now - RANGE_MS), to: dateTime(now) };
  return {
    app: CoreApp.Explore,
    requestId: 'explore',
    interval: '1m',
    intervalMs: INTERVAL_MS,
    range: { ...range, raw: range },
    scopedVars: {},
    startTime: now,
    timezone: 'utc',
    targets: [query],
    ...more,
  };
}

function plain(frame: DataFrame): PlainFrame {
  const { length, meta, fields } = frame;
  return {
    length,
    notices: (meta?.notices ?? []).map(({ text }) => text),
    fields: fields.map((field) => ({
      name: field.name,
      type: field.type,
      displayName: getFieldDisplayName(field, frame, [frame]),
      labels: field.labels,
      links: field.config.links?.length ?? 0,
      values: [...field.values],
    })),
  };
}
