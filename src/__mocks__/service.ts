/** A stand-in for Grafana's request layer, with the two endpoints behind it. */
import type { DataSourceInstanceSettings } from '@grafana/data';
import { setBackendSrv, type BackendSrv } from '@grafana/runtime';
import { of, throwError } from 'rxjs';
import { LogEndpointsDataSource } from '../datasource/datasource';
import type { LogEndpointsOptions } from '../types';
import { LOGS, LOGS_DETAIL, USAGE } from './endpoints';
import { fakeTemplateSrv } from './template-srv';

export interface SentRequest {
  readonly url: string;
  readonly method?: string;
  readonly data?: unknown;
}

export interface FakeService {
  readonly sent: SentRequest[];
  readonly settings: DataSourceInstanceSettings<LogEndpointsOptions>;
  readonly datasource: LogEndpointsDataSource;
  /** Answers by the end of the path; a function may throw. Later ones win. */
  answer(path: string, answer: (request: SentRequest) => unknown): void;
}

const UID = 'uid-1';

export function fakeService(
  options: LogEndpointsOptions = {},
  variables: Readonly<Record<string, string | readonly string[]>> = {}
): FakeService {
  const sent: SentRequest[] = [];
  const answers = new Map<string, (request: SentRequest) => unknown>([
    ['/resources/endpoints', () => ({ endpoints: [USAGE, LOGS] })],
    [`/resources/endpoints/${LOGS.id}`, () => LOGS_DETAIL],
    [`/resources/endpoints/${LOGS.name}`, () => LOGS_DETAIL],
    ['/resources/functions', () => ({ functions: [] })],
    [
      '/resources/validate',
      () => ({ valid: true, result: { canonical: '', sql: 'SELECT 1', fields: [], parameters: [], tables: [] } }),
    ],
    ['/ds/query', () => ({ results: {} })],
  ]);
  setBackendSrv({
    fetch: (request: SentRequest) => {
      sent.push(request);
      const found = [...answers].reverse().find(([path]) => request.url.split('?')[0]!.endsWith(path));
      try {
        if (!found) throw { status: 404, data: { message: `nothing answers ${request.url}` } };
        return of({ data: found[1](request), status: 200 });
      } catch (error) {
        return throwError(() => error);
      }
    },
  } as unknown as BackendSrv);
  const settings = {
    id: 1,
    uid: UID,
    type: 'svc-logqueryendpoints-datasource',
    name: 'Logs',
    jsonData: options,
    meta: { id: 'svc-logqueryendpoints-datasource' },
  } as unknown as DataSourceInstanceSettings<LogEndpointsOptions>;
  return {
    sent,
    settings,
    datasource: new LogEndpointsDataSource(settings, fakeTemplateSrv(variables)),
    answer: (path, answer) => {
      answers.delete(path);
      answers.set(path, answer);
    },
  };
}
