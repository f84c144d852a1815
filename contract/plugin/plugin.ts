/** Names that the browser, the backend, the packager and provisioned files agree on. */
export const PLUGIN_ID = 'svc-logqueryendpoints-datasource';

/** `executable` of plugin.json; Grafana starts `<EXECUTABLE>_<os>_<arch>` beside it. */
export const EXECUTABLE = 'gpx_log_query_endpoints';

/** A field without rows that a live tail's frame has while the tail fails; the frame's notice says why. */
export const TAIL_FAILURE_FIELD = 'tail_failure';
