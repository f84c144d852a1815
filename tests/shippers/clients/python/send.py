"""Each line of the input becomes a log event, sent by the client that the argument names."""

import logging
import os
import sys
import time
import uuid
from datetime import datetime, timezone
from urllib.parse import urlsplit

URL = os.environ["LQE_URL"]
TOKEN = os.environ["LQE_TOKEN"]
PROJECT = "acornharvestplatform"
SOURCE = "edge_requests"


def lines():
    for line in sys.stdin:
        yield line.rstrip("\n")


def send_by_elasticsearch():
    """The bulk helper; a chunk whose connection broke is sent again, with the same ids."""
    from elasticsearch import ConnectionError as BrokenConnection
    from elasticsearch import Elasticsearch, helpers

    client = Elasticsearch(f"{URL}/elasticsearch", api_key=("any", TOKEN), max_retries=0)

    def action(message):
        now = datetime.now(timezone.utc).isoformat()
        document = {"@timestamp": now, "message": message, "project": PROJECT}
        return {"_op_type": "create", "_index": SOURCE, "_id": str(uuid.uuid4()), "_source": document}

    def send(chunk):
        for _ in range(120):
            try:
                helpers.bulk(client, chunk)
                return
            except BrokenConnection:
                time.sleep(0.5)
        raise RuntimeError("the service did not come back")

    chunk = []
    for line in lines():
        chunk.append(action(line))
        if len(chunk) == 500:
            send(chunk)
            chunk = []
    if chunk:
        send(chunk)


def send_by_handler(handler):
    logger = logging.getLogger("access")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(handler)
    for line in lines():
        logger.info("%s", line)


def send_by_splunk_handler():
    from splunk_handler import SplunkHandler

    address = urlsplit(URL)
    handler = SplunkHandler(
        host=address.hostname,
        port=address.port,
        token=TOKEN,
        index=SOURCE,
        protocol="http",
        url=f"{URL}/services/collector/event?project={PROJECT}",
        verify=False,
        flush_interval=0.5,
        queue_size=0,
        retry_count=20,
        retry_backoff=0.5,
    )
    send_by_handler(handler)
    # close() starts a second sender and waits for that one only: it abandons what the first one sends again.
    handler.wait_until_empty()
    logging.shutdown()


def send_by_logging_loki():
    from logging_loki import LokiHandler

    tags = {"lqe_source": SOURCE, "project": PROJECT}
    address = f"{URL}/loki/api/v1/push"
    send_by_handler(LokiHandler(url=address, tags=tags, auth=("any", TOKEN), version="1"))


def send_by_documented_handler():
    """The handler of docs/shippers.md, which is added to the root logger there."""
    exec(os.environ["LQE_DOCUMENTED"], {"__name__": "documented"})
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    for line in lines():
        root.info("%s", line)
    logging.shutdown()


CLIENTS = {
    "documented": send_by_documented_handler,
    "elasticsearch": send_by_elasticsearch,
    "splunk_handler": send_by_splunk_handler,
    "logging_loki": send_by_logging_loki,
}

print("ready", flush=True)
CLIENTS[sys.argv[1]]()
