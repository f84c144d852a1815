/** Each line of the input becomes a log record, as an application with the OpenTelemetry SDK writes it. */
import { createInterface } from 'node:readline';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { detectResources, envDetector } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';

const provider = new LoggerProvider({
  resource: detectResources({ detectors: [envDetector] }),
  processors: [
    new BatchLogRecordProcessor({
      exporter: new OTLPLogExporter(),
      maxQueueSize: Number(process.env.OTEL_BLRP_MAX_QUEUE_SIZE),
    }),
  ],
});
const logger = provider.getLogger('access');

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) logger.emit({ body: line });
await provider.shutdown();
