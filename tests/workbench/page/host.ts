/** What Grafana hands to a plugin, over the workbench's own server: requests, variables, place, settings. */
import {
  config,
  setBackendSrv,
  setDataSourceSrv,
  setLocationSrv,
  setTemplateSrv,
  type BackendSrv,
  type BackendSrvRequest,
} from '@grafana/runtime';
import { from } from 'rxjs';
import { fakeTemplateSrv } from '../../../src/__mocks__/template-srv';

declare const GRAFANA_VERSION: string;

export function setUpHost(): void {
  // Set by the build: that of the packages.
  config.buildInfo.version = GRAFANA_VERSION;
  setTemplateSrv(fakeTemplateSrv({ project: 'acornharvestplatform' }));
  setLocationSrv({ update: () => undefined });
  // There is no other data source.
  setDataSourceSrv({ getList: () => [], getInstanceSettings: () => undefined } as never);
  setBackendSrv({
    fetch: (request: BackendSrvRequest) => from(send(request)),
  } as unknown as BackendSrv);
}

/** Refusals are thrown in the shape of Grafana's request layer. */
async function send({ url, method = 'GET', data, headers }: BackendSrvRequest) {
  const answer = await fetch(`/${url.replace(/^\//, '')}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(data === undefined ? {} : { body: JSON.stringify(data) }),
  });
  const body: unknown = await answer.json();
  const told = { status: answer.status, statusText: answer.statusText, data: body, config: { url } };
  if (!answer.ok) throw told;
  return told;
}
