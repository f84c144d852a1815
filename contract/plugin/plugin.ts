/** Names that the browser, the backend, the packager and provisioned files agree on. */
export const PLUGIN_ID = 'svc-logqueryendpoints-datasource';

/** `executable` of plugin.json; Grafana starts `<EXECUTABLE>_<os>_<arch>` beside it. */
export const EXECUTABLE = 'gpx_log_query_endpoints';
