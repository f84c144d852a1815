/** Calls the data source as Explore and dashboards do outside of editors; results are plain JSON for the tests. */
import {
  getFieldDisplayName,
  hasSupplementaryQuerySupport,
  LogRowContextQueryDirection,
  SupplementaryQueryType,
  type AnnotationQuery,
  type DataFrame,
  type DataQuery,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
  type LogRowModel,
} from '@grafana/data';
import { lastValueFrom, type Observable } from 'rxjs';
import { annotationEvents } from './host/annotation-query';
import { deepFreeze } from './host/deep-freeze';
import { requestOf, runRequest } from './host/run-request';
import { optionsOf } from './host/variable-options';

/** The methods beyond the host's base class that the tests ask for. */
interface Explorable extends DataSourceApi {
  getDataProvider?(
    type: SupplementaryQueryType,
    request: DataQueryRequest<DataQuery>
  ): Observable<DataQueryResponse> | undefined;
  getSupplementaryRequest?(
    type: SupplementaryQueryType,
    request: DataQueryRequest<DataQuery>
  ): DataQueryRequest<DataQuery> | undefined;
  getLogRowContext(row: LogRowModel, options: object, query: DataQuery): Promise<DataQueryResponse>;
  getLogRowContextQuery(row: LogRowModel, options: object, query: DataQuery): Promise<DataQuery | null>;
  toggleQueryFilter(query: DataQuery, action: object): DataQuery;
}

type Direction = keyof typeof LogRowContextQueryDirection;

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
  const run = async (query: DataQuery, more: object = {}): Promise<readonly DataFrame[]> => {
    const { series, errors } = await runRequest(source, requestOf(query, more));
    if (errors.length > 0) throw new Error(errors[0]!.message);
    return series;
  };
  /** `undefined` from a data source that is not asked: the host then counts the lines that it has. */
  const supplement = async (type: SupplementaryQueryType, query: DataQuery): Promise<DataFrame[] | undefined> => {
    const request = requestOf(query, { requestId: `explore_0` });
    if (!hasSupplementaryQuerySupport(source as never, type, request as never)) return undefined;
    const asked = source.getSupplementaryRequest?.(type, deepFreeze(request));
    const answers =
      source.getDataProvider?.(type, deepFreeze(request)) ??
      (asked && (source.query(deepFreeze(asked)) as Observable<DataQueryResponse>));
    if (!answers) return [];
    const { data, error, errors } = await lastValueFrom(answers);
    if (error ?? errors?.[0]) throw new Error((error ?? errors![0])!.message);
    return data;
  };
  const row = async (query: DataQuery, rowIndex: number): Promise<LogRowModel> => {
    const [dataFrame] = await run(query);
    const timeEpochMs = Number(dataFrame!.fields[0]!.values[rowIndex]);
    return deepFreeze({ dataFrame, rowIndex, timeEpochMs, timeEpochNs: `${timeEpochMs}000000` } as LogRowModel);
  };
  const contextOf = async (around: LogRowModel, query: DataQuery, direction: Direction, limit: number) => {
    const options = deepFreeze({ direction: LogRowContextQueryDirection[direction], limit });
    return (await source.getLogRowContext(around, options, deepFreeze(query))).data.map(plain);
  };
  return {
    query: async (query: DataQuery, more: object = {}) => (await run(query, more)).map(plain),
    /** Both begin at once, with one id. */
    queryTwice: async (query: DataQuery) =>
      (await Promise.all([runRequest(source, requestOf(query)), runRequest(source, requestOf(query))])).map(
        ({ series, errors }) => ({ frames: series.length, errors: errors.length })
      ),
    volume: async (query: DataQuery) => (await supplement(SupplementaryQueryType.LogsVolume, query))?.map(plain),
    sample: async (query: DataQuery) => (await supplement(SupplementaryQueryType.LogsSample, query))?.map(plain),
    /** Around one line of the query's answer: later lines, then earlier ones, asked for at once. */
    context: async (query: DataQuery, rowIndex: number, limits: readonly [number, number]) => {
      const around = await row(query, rowIndex);
      return Promise.all([
        contextOf(around, query, 'Forward', limits[0]),
        contextOf(around, query, 'Backward', limits[1]),
      ]);
    },
    /** What a second pane of Explore shows of it. */
    contextQuery: async (query: DataQuery, rowIndex: number) => {
      const own = await source.getLogRowContextQuery(await row(query, rowIndex), {}, deepFreeze(query));
      return own && (await run(own)).map(plain);
    },
    filtered: (query: DataQuery, key: string, value: string) =>
      source.toggleQueryFilter(deepFreeze(query), deepFreeze({ type: 'FILTER_FOR', options: { key, value } })),
    tagKeys: () => source.getTagKeys!(),
    /** Values of several fields at once. */
    tagValues: (...keys: string[]) =>
      Promise.all(keys.map((key) => source.getTagValues!(deepFreeze({ key, filters: [] })))),
    options: (query: object | '', search?: string) =>
      optionsOf(datasource, query, search === undefined ? {} : { __searchFilter: { text: search, value: search } }),
    annotations: (annotation: AnnotationQuery) => annotationEvents(datasource, annotation),
    /** As a panel is opened in Explore. */
    interpolated: async (query: DataQuery) => {
      const [filled] = source.interpolateVariablesInQueries!([deepFreeze(query)], deepFreeze({}));
      return (await run(filled!)).map(plain);
    },
    health: () => source.testDatasource(),
    /** Which of these members there are: `query`, `annotations.prepareAnnotation`. */
    present: (names: readonly string[]) =>
      names.filter((name) => {
        let at: unknown = source;
        for (const part of name.split('.')) at = (at as Record<string, unknown> | undefined)?.[part];
        return at !== undefined;
      }),
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
