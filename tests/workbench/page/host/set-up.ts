/** What Grafana passes to a plugin, over the workbench's own server: requests, variables, place, settings. */
import type { DataSourceInstanceSettings } from '@grafana/data';
import { config, setBackendSrv, setDataSourceSrv, setLocationSrv, setTemplateSrv } from '@grafana/runtime';
import { fakeTemplateSrv } from '../../../../src/__mocks__/template-srv';
import { createBackendSrv } from './backend-srv';

declare const GRAFANA_VERSION: string;

/** @param settings of the one data source that there is */
export function setUpHost(settings: DataSourceInstanceSettings): void {
  // Set by the build: that of the packages.
  config.buildInfo.version = GRAFANA_VERSION;
  setTemplateSrv(fakeTemplateSrv({ project: 'acornharvestplatform' }));
  setLocationSrv({ update: () => undefined });
  setDataSourceSrv({
    getList: () => [],
    getInstanceSettings: (ref?: { readonly uid?: string } | string | null) =>
      (typeof ref === 'string' ? ref : ref?.uid) === settings.uid ? settings : undefined,
  } as never);
  setBackendSrv(createBackendSrv());
}
