"""Each line of the input becomes a log record, as an application with the OpenTelemetry SDK writes it."""

import logging
import sys

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

provider = LoggerProvider()
provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
logger = logging.getLogger("access")
logger.setLevel(logging.INFO)
logger.propagate = False
logger.addHandler(LoggingHandler(logger_provider=provider))

print("ready", flush=True)
for line in sys.stdin:
    logger.info("%s", line.rstrip("\n"))
provider.force_flush(90_000)
provider.shutdown()
