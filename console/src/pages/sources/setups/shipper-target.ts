/** A service, a source and a tenant, as set-ups of log shippers write them. */
export interface ShipperTarget {
  /** URL of the service, like `https://logs.example:8443`. */
  readonly url: string;
  /** Name of a source. */
  readonly source: string;
  readonly project: string;
  /**
   * Where events of the source name their tenant: `project`, `metadata.project_ref`. Null: they need none.
   */
  readonly tenantField: string | null;
}

/** Name under which OpenTelemetry and Loki send the tenant: the last part of its field. */
export function tenantName({ tenantField }: ShipperTarget): string | null {
  return tenantField?.split('.').at(-1) ?? null;
}

export const PLAIN = /^[A-Za-z][\w.-]*$/;

/** Whether shippers can add the tenant to each event: a field at its top, and a text that needs no quotes anywhere. */
export const isOwnField = ({ tenantField, project }: ShipperTarget): boolean =>
  tenantField === 'project' && PLAIN.test(project);

/** Path and query of `POST /api/logs`, with the tenant of events that do not name their own. */
export function logsPath(target: ShipperTarget): string {
  const search = new URLSearchParams({ source: target.source });
  if (target.tenantField !== null && !isOwnField(target)) search.set('project', target.project);
  return `/api/logs?${search.toString()}`;
}

export const lines = (...all: ReadonlyArray<string | null>): string => all.filter((line) => line !== null).join('\n');

/** Both YAML and JSON read a JSON text; plain names need no quotes. */
export const plain = (text: string): string => (PLAIN.test(text) ? text : JSON.stringify(text));

/** The SDK takes values as in a URL; the shell would read quotes, which a URL writes in another way. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');

/** Variables that an OpenTelemetry SDK reads. */
export function writeSdkVariables(target: ShipperTarget): string {
  const tenant = tenantName(target);
  const attributes = [['lqe.source', target.source], ...(tenant === null ? [] : [[tenant, target.project]])];
  const text = attributes.map(([name, value]) => `${name}=${encoded(value ?? '')}`).join(',');
  return lines(
    `export OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=${target.url}/v1/logs`,
    'export OTEL_EXPORTER_OTLP_LOGS_HEADERS="X-API-KEY=$LQE_TOKEN"',
    `export OTEL_RESOURCE_ATTRIBUTES="${text}"`
  );
}
