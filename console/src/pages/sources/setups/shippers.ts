import { writeKubernetes } from './kubernetes-setup';
import { writeLog4j, writeLogback, writePino, writePython, writeWinston } from './logger-setups';
import {
  isOwnField,
  lines,
  logsPath,
  plain,
  type ShipperTarget,
  tenantName,
  writeSdkVariables,
} from './shipper-target';

/**
 * Set-ups of log shippers, for a service, a source and a tenant. docs/shippers.md shows the same texts, for the
 * quickstart: a test compares them. `LQE_TOKEN` is a variable in all of them.
 */
export interface Shipper {
  readonly name: string;
  /** Heading of its section in docs/shippers.md. */
  readonly section: string;
  readonly write: (target: ShipperTarget) => string;
  readonly note: string;
}

export const SHIPPERS: readonly Shipper[] = [
  {
    name: 'OpenTelemetry Collector',
    section: 'OpenTelemetry Collector',
    write: writeCollector,
    note: 'Without max_elapsed_time: 0 the Collector drops a batch that it could not deliver for five minutes.',
  },
  {
    name: 'Kubernetes',
    section: 'Kubernetes',
    write: writeKubernetes,
    note: 'The endpoint is the address of the service as pods reach it.',
  },
  {
    name: 'OpenTelemetry SDK',
    section: 'OpenTelemetry SDKs',
    write: writeSdk,
    note: 'Use the protocol http/protobuf; gRPC is not taken.',
  },
  {
    name: 'Vector',
    section: 'Vector',
    write: writeVector,
    note: 'Names of inputs are those of your own configuration.',
  },
  {
    name: 'Fluent Bit',
    section: 'Fluent Bit',
    write: writeFluentBit,
    note: 'Without retry_limit Fluent Bit drops a chunk after its second failure.',
  },
  {
    name: 'syslog-ng',
    section: 'syslog-ng',
    write: writeSyslogNg,
    note: 'Keep the id: it makes every delivery of a message the same event.',
  },
  {
    name: 'rsyslog',
    section: 'rsyslog',
    write: writeRsyslog,
    note: 'Keep the id: after a failure rsyslog sends messages of accepted batches once more.',
  },
  {
    name: 'pino',
    section: 'pino',
    write: writePino,
    note: "In the program: pino({ transport: { target: 'pino-opentelemetry-transport' } }).",
  },
  {
    name: 'winston',
    section: 'winston',
    write: writeWinston,
    note: 'It drops a batch that it cannot send: where no line may be lost, let a Collector follow a file.',
  },
  {
    name: 'Python logging',
    section: 'Python logging',
    write: writePython,
    note: 'Records that wait for the service are lost a minute after the end of the program.',
  },
  {
    name: 'log4j2',
    section: 'log4j2',
    write: writeLog4j,
    note: 'It drops an event that it cannot send: where no line may be lost, let a Collector follow a file.',
  },
  {
    name: 'logback',
    section: 'logback',
    write: writeLogback,
    note: 'Without maxRetries loki4j drops a batch after two more tries.',
  },
  {
    name: 'Loki’s push',
    section: 'Loki’s push',
    write: writeLoki,
    note: 'Lines of one stream share its labels.',
  },
  {
    name: 'Grafana Alloy',
    section: 'Alloy and Promtail',
    write: writeAlloy,
    note: 'Promtail takes the same address, labels and password. With max_backoff_retries = 0 nothing is dropped after ten tries.',
  },
  {
    name: 'Filebeat',
    section: 'Filebeat',
    write: writeFilebeat,
    note: 'It tries again without end, and drops a document that the service refuses.',
  },
  {
    name: 'Log drain (Vercel and others)',
    section: 'Log drains and webhooks',
    write: writeDrain,
    note: 'Give the address of this example to the drain, with the token as the password of Basic authentication.',
  },
];

function writeCollector(target: ShipperTarget): string {
  const tenant = tenantName(target);
  const attribute = (key: string, value: string): string =>
    `      - { key: ${key}, value: ${plain(value)}, action: upsert }`;
  return lines(
    'receivers:',
    '  filelog:',
    '    include: [/var/log/proxy/*.log]',
    'processors:',
    '  resource:',
    '    attributes:',
    attribute('lqe.source', target.source),
    tenant && attribute(tenant, target.project),
    '  batch:',
    'exporters:',
    '  otlphttp:',
    `    endpoint: ${target.url}`,
    '    headers:',
    '      X-API-KEY: ${env:LQE_TOKEN}',
    '    retry_on_failure:',
    '      max_elapsed_time: 0',
    'service:',
    '  pipelines:',
    '    logs:',
    '      receivers: [filelog]',
    '      processors: [resource, batch]',
    '      exporters: [otlphttp]'
  );
}

function writeSdk(target: ShipperTarget): string {
  return lines(writeSdkVariables(target), 'export OTEL_BLRP_MAX_QUEUE_SIZE=20000');
}

function writeVector(target: ShipperTarget): string {
  const transform = lines(
    'transforms:',
    '  proxy_logs:',
    '    type: remap',
    '    inputs: [proxy_files]',
    '    source: |',
    `      .project = ${JSON.stringify(target.project)}`
  );
  return lines(
    isOwnField(target) ? transform : null,
    'sinks:',
    '  lqe:',
    '    type: http',
    `    inputs: [${isOwnField(target) ? 'proxy_logs' : 'proxy_files'}]`,
    `    uri: ${target.url}${logsPath(target)}`,
    '    compression: gzip',
    '    encoding:',
    '      codec: json',
    '    framing:',
    '      method: newline_delimited',
    '    request:',
    '      headers:',
    '        X-API-KEY: ${LQE_TOKEN}'
  );
}

function writeFluentBit(target: ShipperTarget): string {
  const { hostname, port, protocol } = new URL(target.url);
  const isSecure = protocol === 'https:';
  return lines(
    'pipeline:',
    '  filters:',
    '    - name: modify',
    "      match: '*'",
    '      rename: log message',
    isOwnField(target) ? `      add: project ${plain(target.project)}` : null,
    '  outputs:',
    '    - name: http',
    "      match: '*'",
    `      host: ${hostname}`,
    `      port: ${port || (isSecure ? '443' : '80')}`,
    isSecure ? '      tls: on' : null,
    `      uri: ${logsPath(target)}`,
    '      format: json_lines',
    '      json_date_key: timestamp',
    '      json_date_format: iso8601',
    '      compress: gzip',
    '      header: X-API-KEY ${LQE_TOKEN}',
    '      retry_limit: no_limits'
  );
}

function writeSyslogNg(target: ShipperTarget): string {
  const pairs = [
    'id=${UNIQID} timestamp=${ISODATE} event_message=${MESSAGE}',
    ...(isOwnField(target) ? [`project=${plain(target.project)}`] : []),
    'host=${HOST}',
  ];
  return lines(
    'options { use-uniqid(yes); time-reopen(1); };',
    'source s_proxy { file("/var/log/proxy/access.log" flags(no-parse)); };',
    'destination d_lqe {',
    '  http(',
    `    url("${target.url}${logsPath(target)}")`,
    '    method("POST")',
    '    headers("Content-Type: application/x-ndjson", "X-API-KEY: `LQE_TOKEN`")',
    `    body("$(format-json ${pairs.join(' ')})")`,
    String.raw`    delimiter("\n")`,
    '    batch-lines(100)',
    '    batch-timeout(1000)',
    '  );',
    '};',
    'log { source(s_proxy); destination(d_lqe); flags(flow-control); };'
  );
}

function writeRsyslog(target: ShipperTarget): string {
  const { hostname, port, protocol } = new URL(target.url);
  const isSecure = protocol === 'https:';
  const project = `  constant(outname="project" value=${JSON.stringify(target.project)} format="jsonf")`;
  return lines(
    'module(load="imfile")',
    'module(load="omhttp")',
    'template(name="lqe" type="list" option.jsonf="on") {',
    '  property(outname="id" name="uuid" format="jsonf")',
    '  property(outname="timestamp" name="timegenerated" dateFormat="rfc3339" format="jsonf")',
    '  property(outname="event_message" name="msg" format="jsonf")',
    '  property(outname="host" name="hostname" format="jsonf")',
    isOwnField(target) ? project : null,
    '}',
    'input(type="imfile" File="/var/log/proxy/access.log" Tag="proxy" ruleset="lqe")',
    'ruleset(name="lqe") {',
    `  action(type="omhttp" server="${hostname}" serverport="${port || (isSecure ? '443' : '80')}" ` +
      `usehttps="${isSecure ? 'on' : 'off'}" restpath="${logsPath(target).slice(1)}"`,
    '    httpheaderkey="X-API-KEY" httpheadervalue=`echo $LQE_TOKEN` httpcontenttype="application/x-ndjson"',
    '    template="lqe" batch="on" batch.format="newline" action.resumeRetryCount="-1" action.resumeInterval="5")',
    '}'
  );
}

function writeLoki(target: ShipperTarget): string {
  const tenant = tenantName(target);
  const labels = [['lqe_source', target.source], ...(tenant === null ? [] : [[tenant, target.project]])];
  const stream = labels.map((pair) => pair.map((text) => shellJson(text ?? '')).join(': ')).join(', ');
  return lines(
    `curl -H "X-API-KEY: $LQE_TOKEN" -H 'Content-Type: application/json' ${target.url}/loki/api/v1/push -d '{`,
    `  "streams": [{"stream": {${stream}},`,
    `    "values": [["'"$(date +%s)000000000"'", "GET | 200 | /rest/v1/orders", {"trace_id": "4bf92f3577b34da6a3ce929d0e0e4736"}]]}]}'`
  );
}

/** A JSON text within single quotes of a shell. */
function shellJson(text: string): string {
  return JSON.stringify(text).replaceAll("'", `'\\''`);
}

function writeAlloy(target: ShipperTarget): string {
  const tenant = tenantName(target);
  const labels = [['lqe_source', target.source], ...(tenant === null ? [] : [[tenant, target.project]])].map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`
  );
  return lines(
    'loki.source.file "proxy" {',
    `  targets    = [{ __path__ = "/var/log/proxy/*.log", ${labels.join(', ')} }]`,
    '  forward_to = [loki.write.lqe.receiver]',
    '}',
    '',
    'loki.write "lqe" {',
    '  endpoint {',
    `    url = "${target.url}/loki/api/v1/push"`,
    '    basic_auth {',
    '      username = "alloy"',
    '      password = sys.env("LQE_TOKEN")',
    '    }',
    '    max_backoff_retries = 0',
    '  }',
    '}'
  );
}

function writeFilebeat(target: ShipperTarget): string {
  const tenant = tenantName(target);
  return lines(
    'filebeat.inputs:',
    '  - type: filestream',
    '    id: proxy',
    '    paths: [/var/log/proxy/*.log]',
    tenant && '    fields_under_root: true',
    tenant && '    fields:',
    tenant && `      ${tenant}: ${plain(target.project)}`,
    'setup.template.enabled: false',
    'setup.ilm.enabled: false',
    'output.elasticsearch:',
    `  hosts: ["${target.url}"]`,
    '  path: /elasticsearch',
    `  index: ${plain(target.source)}`,
    '  api_key: "filebeat:${LQE_TOKEN}"',
    '  allow_older_versions: true'
  );
}

function writeDrain({ url, source, project, tenantField }: ShipperTarget): string {
  const search = new URLSearchParams({ source, ...(tenantField !== null && { project }) });
  const event = `[{"id": "1573817187330377061717300000", "timestamp": '"$(date +%s)123"', "source": "lambda", "message": "Adding customer"}]`;
  return lines(
    `curl -u "drain:$LQE_TOKEN" -H 'Content-Type: application/json' \\`,
    `  "${url}/api/logs/vercel?${search.toString()}" \\`,
    `  -d '${event}'`
  );
}
