/** Loggers of applications that send by themselves, as docs/shippers.md shows them. */
import {
  isOwnField,
  lines,
  logsPath,
  PLAIN,
  type ShipperTarget,
  tenantName,
  writeSdkVariables,
} from './shipper-target';

export function writePino(target: ShipperTarget): string {
  return lines('npm install pino pino-opentelemetry-transport', writeSdkVariables(target));
}

export function writeWinston(target: ShipperTarget): string {
  const { source, project, tenantField } = target;
  const { hostname, port, protocol } = new URL(target.url);
  const isSecure = protocol === 'https:';
  const search = new URLSearchParams({ source, ...(tenantField !== null && { project }) });
  return lines(
    'const logger = winston.createLogger({',
    '  transports: [',
    '    new winston.transports.Http({',
    `      host: '${hostname}',`,
    `      port: ${port || (isSecure ? '443' : '80')},`,
    isSecure ? '      ssl: true,' : null,
    `      path: '/api/logs?${search.toString()}',`,
    "      headers: { 'X-API-KEY': process.env.LQE_TOKEN },",
    '      batch: true,',
    '      batchInterval: 1000,',
    '      batchCount: 100,',
    '      format: winston.format.combine(winston.format.timestamp(), winston.format.json()),',
    '    }),',
    '  ],',
    '});'
  );
}

const PYTHON_HANDLER = lines(
  'import http.client, json, logging, os, queue, sys, threading, time, urllib.error, urllib.request, uuid',
  '',
  '',
  'class LogQueryHandler(logging.Handler):',
  '    """Sends records from a thread of its own, in batches, again and again until the service has taken them."""',
  '',
  '    def __init__(self, url, token, **fields):',
  '        super().__init__()',
  '        self.url, self.fields, self.waiting = url, fields, queue.SimpleQueue()',
  '        self.headers = {"X-API-KEY": token, "Content-Type": "application/json"}',
  '        self.sender = threading.Thread(target=self.send_all, daemon=True)',
  '        self.sender.start()',
  '',
  '    def emit(self, record):',
  '        try:',
  '            if self.waiting.qsize() >= 20_000:',
  '                raise queue.Full',
  '            event = {"id": str(uuid.uuid4()), "timestamp": int(record.created * 1_000_000)}',
  '            text = {"event_message": self.format(record), "level": record.levelname.lower(), "logger": record.name}',
  '            self.waiting.put({**event, **text, **self.fields})',
  '        except Exception:',
  '            self.handleError(record)',
  '',
  '    def close(self):',
  '        self.waiting.put(None)',
  '        self.sender.join(timeout=60)',
  '        super().close()',
  '',
  '    def send_all(self):',
  '        batch = []',
  '        while None not in batch:',
  '            batch = [self.waiting.get()]',
  '            while len(batch) < 1_000 and not self.waiting.empty():',
  '                batch.append(self.waiting.get())',
  '            self.send([event for event in batch if event is not None])',
  '',
  '    def send(self, batch):',
  '        request = urllib.request.Request(self.url, json.dumps(batch).encode(), self.headers)',
  '        while batch:',
  '            try:',
  '                with urllib.request.urlopen(request, timeout=30) as answer:',
  '                    return answer.read()',
  '            except urllib.error.HTTPError as error:',
  '                if error.code not in (429, 502, 503, 504):',
  String.raw`                    return sys.stderr.write(f"{len(batch)} log events are refused: {error.code} {error.read()}\n")`,
  '            except (OSError, http.client.HTTPException):',
  '                pass',
  '            time.sleep(1)'
);

export function writePython(target: ShipperTarget): string {
  const fields = isOwnField(target) ? `, project=${JSON.stringify(target.project)}` : '';
  return lines(
    PYTHON_HANDLER,
    '',
    '',
    `url = ${JSON.stringify(target.url + logsPath(target))}`,
    `logging.getLogger().addHandler(LogQueryHandler(url, os.environ["LQE_TOKEN"]${fields}))`
  );
}

const xml = (text: string): string => text.replaceAll('&', '&amp;');

export function writeLog4j(target: ShipperTarget): string {
  return lines(
    '<Configuration>',
    '  <Appenders>',
    `    <Http name="lqe" url="${xml(target.url + logsPath(target))}">`,
    '      <Property name="X-API-KEY" value="${env:LQE_TOKEN}" />',
    '      <JsonTemplateLayout',
    "        eventTemplate='{",
    '          "id": { "$resolver": "pattern", "pattern": "%u{RANDOM}", "stackTraceEnabled": false },',
    '          "timestamp": { "$resolver": "timestamp", "pattern": { "format": "yyyy-MM-dd&apos;T&apos;HH:mm:ss.SSSSSSXXX" } },',
    '          "event_message": { "$resolver": "message", "stringified": true },',
    isOwnField(target) ? `          "project": "${target.project}",` : null,
    '          "level": { "$resolver": "level", "field": "name" },',
    '          "logger": { "$resolver": "logger", "field": "name" },',
    '          "thread": { "$resolver": "thread", "field": "name" },',
    '          "context": { "$resolver": "mdc" },',
    '          "stack_trace": { "$resolver": "exception", "field": "stackTrace", "stackTrace": { "stringified": true } }',
    "        }'",
    '      />',
    '    </Http>',
    '    <Async name="lqe_async">',
    '      <AppenderRef ref="lqe" />',
    '    </Async>',
    '  </Appenders>',
    '  <Loggers>',
    '    <Root level="info">',
    '      <AppenderRef ref="lqe_async" />',
    '    </Root>',
    '  </Loggers>',
    '</Configuration>'
  );
}

/** Labels are patterns: what needs escapes goes into the address. */
export function writeLogback(target: ShipperTarget): string {
  const tenant = tenantName(target);
  const labels = [['lqe_source', target.source], ...(tenant === null ? [] : [[tenant, target.project]])];
  const arePlain = labels.every((pair) => pair.every((text) => PLAIN.test(text ?? '')));
  const search = new URLSearchParams({ source: target.source, ...(tenant !== null && { project: target.project }) });
  const path = arePlain ? '' : `?${search.toString()}`;
  return lines(
    '<configuration>',
    '  <shutdownHook />',
    '  <appender name="LQE" class="com.github.loki4j.logback.Loki4jAppender">',
    '    <http>',
    `      <url>${target.url}/loki/api/v1/push${xml(path)}</url>`,
    '      <auth>',
    '        <username>logback</username>',
    '        <password>${LQE_TOKEN}</password>',
    '      </auth>',
    '      <maxRetries>1000000</maxRetries>',
    '      <maxRetryBackoffMs>5000</maxRetryBackoffMs>',
    '    </http>',
    '    <batch>',
    '      <timeoutMs>1000</timeoutMs>',
    '    </batch>',
    arePlain ? '    <labels>' : null,
    arePlain ? labels.map(([name, value]) => `      ${name}=${value}`).join('\n') : null,
    arePlain ? '    </labels>' : null,
    '    <structuredMetadata>',
    '      level=%level',
    '      logger=%logger',
    '      thread=%thread',
    '      *=%%mdc',
    '      *=%%kvp',
    '    </structuredMetadata>',
    '    <message>',
    String.raw`      <pattern>%msg%replace(%n%ex){'\s+$', ''}</pattern>`,
    '    </message>',
    '  </appender>',
    '  <root level="INFO">',
    '    <appender-ref ref="LQE" />',
    '  </root>',
    '</configuration>'
  );
}
