/**
 * Log volume and log sample for Grafana 10.1 to 10.3, which do not request them but use a provider of the data source.
 * Later versions request them.
 */
import {
  FieldType,
  LoadingState,
  LogsVolumeType,
  SupplementaryQueryType,
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
} from '@grafana/data';
import { catchError, map, of, startWith, type Observable } from 'rxjs';
import type { LogLevel } from '#contract/plugin/levels';
import { isKeyOf } from '#contract/records';
import type { LogEndpointsQuery } from '../types';
import { VOLUME_REF_ID } from './supplementary';

/** Grafana's colors of levels; its charts do not accept color names here. */
const LEVEL_COLORS = {
  critical: '#B877D9',
  error: '#F2495C',
  warning: '#FADE2A',
  info: '#73BF69',
  debug: '#5794F2',
  trace: '#8AB8FF',
} as const satisfies Readonly<Record<LogLevel, string>>;
const OTHER_COLOR = '#8E8E8E';

export function needsDataProvider(hostVersion: string): boolean {
  const [major = 0, minor = 0] = hostVersion.split(/[.+-]/, 2).map(Number);
  return major < 10 || (major === 10 && minor < 4);
}

export interface ProviderContext {
  readonly datasourceName: string;
  /** Queries to which the volume or sample belongs. */
  readonly targets: readonly LogEndpointsQuery[];
  readonly query: (request: DataQueryRequest<LogEndpointsQuery>) => Observable<DataQueryResponse>;
}

/** @param request has the supplementary queries as targets */
export function dataProvider(
  type: SupplementaryQueryType,
  request: DataQueryRequest<LogEndpointsQuery>,
  { datasourceName, targets, query }: ProviderContext
): Observable<DataQueryResponse> {
  const { from, to } = request.range;
  const finish = (frame: DataFrame): DataFrame => {
    if (type !== SupplementaryQueryType.LogsVolume) return frame;
    const sourceRefId = (frame.refId ?? '').replace(VOLUME_REF_ID, '');
    const custom = {
      ...frame.meta?.custom,
      logsVolumeType: LogsVolumeType.FullRange,
      absoluteRange: { from: from.valueOf(), to: to.valueOf() },
      datasourceName,
      sourceQuery: targets.find(({ refId }) => refId === sourceRefId),
    };
    return { ...frame, fields: frame.fields.map(asBars), meta: { ...frame.meta, custom } };
  };
  return query({ ...request, intervalMs: bucketMs(request.intervalMs) }).pipe(
    map((response) => ({
      ...response,
      // The chart, and the log lines with it, would fail on the frame without fields that accompanies an error.
      data: response.data.filter(isChart).map(finish),
      // The only one that all hosts set.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      state: response.error ? LoadingState.Error : LoadingState.Done,
    })),
    catchError((error: Error) => of({ data: [], error: { message: error.message }, state: LoadingState.Error })),
    startWith({ data: [], state: LoadingState.Loading })
  );
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Bucket widths that Grafana uses from 10.4 on. */
function bucketMs(intervalMs: number): number {
  if (intervalMs > HOUR_MS) return 24 * HOUR_MS;
  if (intervalMs > MINUTE_MS) return HOUR_MS;
  return intervalMs > SECOND_MS ? MINUTE_MS : SECOND_MS;
}

function isChart({ fields }: DataFrame): boolean {
  return fields.some(({ type }) => type === FieldType.time);
}

function asBars(field: DataFrame['fields'][number]): DataFrame['fields'][number] {
  if (field.type !== FieldType.number) return field;
  const level = field.labels?.['level'];
  const color = level !== undefined && isKeyOf(LEVEL_COLORS, level) ? LEVEL_COLORS[level] : OTHER_COLOR;
  return {
    ...field,
    config: {
      ...field.config,
      displayNameFromDS: level ?? 'logs',
      color: { mode: 'fixed', fixedColor: color },
      custom: {
        drawStyle: 'bars',
        barAlignment: 0,
        lineWidth: 1,
        lineColor: color,
        pointColor: color,
        fillColor: color,
        fillOpacity: 100,
        stacking: { mode: 'normal', group: 'A' },
      },
    },
  };
}
