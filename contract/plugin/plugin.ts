/** Names shared by the browser, the backend, the packager and provisioning files. */
export const PLUGIN_ID = 'svc-logqueryendpoints-datasource';

/** Value of `executable` in plugin.json; Grafana starts `<EXECUTABLE>_<os>_<arch>` beside it. */
export const EXECUTABLE = 'gpx_log_query_endpoints';

/** A field without rows that a live tail's frame has while the tail fails; the frame's notice says why. */
export const TAIL_FAILURE_FIELD = 'tail_failure';

/** A field without values that a live tail's frames have once lines may be missing. */
export const TAIL_GAP_FIELD = 'tail_gap';
