/** Resource calls outside of an instance of the data source class, which pages of the settings do not have. */
import { getBackendSrv } from '@grafana/runtime';
import { lastValueFrom } from 'rxjs';
import { EndpointCatalog } from './endpoint-catalog';

export function catalogOf(uid: string): EndpointCatalog {
  return new EndpointCatalog({
    getResource: (path) => callResource(uid, 'GET', path),
    postResource: (path, body) => callResource(uid, 'POST', path, body),
  });
}

/** @param path without leading slash, with its query string */
export async function callResource<T>(uid: string, method: string, path: string, data?: unknown): Promise<T> {
  const url = `/api/datasources/uid/${encodeURIComponent(uid)}/resources/${path}`;
  const request = { method, url, showErrorAlert: false, ...(data === undefined ? {} : { data }) };
  return (await lastValueFrom(getBackendSrv().fetch<T>(request))).data;
}
