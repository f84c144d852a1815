/** Each line of the input becomes a log event, sent by the client that the argument names. */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import { performance } from 'node:perf_hooks';

const url = new URL(process.env.LQE_URL);
const token = process.env.LQE_TOKEN;
const project = 'acornharvestplatform';
const source = 'edge_requests';
const elasticsearch = `${url.origin}/elasticsearch`;
/** Time in which what is buffered is sent, and sent again. */
const DRAIN_MS = 90_000;
/** Pause of winston-loki after a failure. */
const BREAK_MS = 60_000;

/**
 * Prepared before the first line comes.
 *
 * @type {Record<string, () => Promise<(lines: AsyncIterable<string>) => Promise<void>>>}
 */
const CLIENTS = {
  elasticsearch: async () => {
    const { Client } = await import('@elastic/elasticsearch');
    const client = new Client({
      node: elasticsearch,
      auth: { apiKey: { id: 'any', api_key: token } },
      maxRetries: 60,
      retryBackoff: () => 500,
    });
    return async (lines) => {
      const { failed } = await client.helpers.bulk({
        datasource: documents(lines),
        onDocument: () => ({ create: { _index: source } }),
        flushBytes: 20_000,
        flushInterval: 500,
      });
      if (failed > 0) throw new Error(`${failed} documents were refused`);
    };
  },

  'winston-elasticsearch': async () => {
    const [{ default: winston }, { ElasticsearchTransport }] = await Promise.all([
      import('winston'),
      import('winston-elasticsearch'),
    ]);
    const transport = new ElasticsearchTransport({
      index: source,
      dataStream: true,
      flushInterval: 500,
      clientOpts: { node: elasticsearch, auth: { apiKey: { id: 'any', api_key: token } } },
      transformer: ({ message, timestamp }) => ({ '@timestamp': timestamp, message, project }),
    });
    const logger = winston.createLogger({ transports: [transport] });
    logger.on('error', console.error);
    transport.on('warning', (error) => console.error(String(error)));
    return async (lines) => {
      for await (const line of lines) logger.info(line);
      const deadline = Date.now() + DRAIN_MS;
      do await sleep(3_000);
      while (transport.bulkWriter.bulk.length > 0 && Date.now() < deadline);
    };
  },

  'pino-elasticsearch': async () => {
    const [{ default: pino }, { default: createStream }] = await Promise.all([
      import('pino'),
      import('pino-elasticsearch'),
    ]);
    const stream = createStream({
      index: source,
      node: elasticsearch,
      esVersion: 8,
      opType: 'create',
      flushBytes: 20_000,
      flushInterval: 500,
      auth: { apiKey: { id: 'any', api_key: token } },
    });
    for (const name of ['error', 'insertError', 'unknown']) stream.on(name, console.error);
    // As docs/shippers.md says: with milliseconds, a loop fills equal requests within one.
    const exactTime = () => {
      const ms = performance.timeOrigin + performance.now();
      const micros = String(Math.floor((ms % 1) * 1000)).padStart(3, '0');
      return `,"@timestamp":"${new Date(ms).toISOString().replace('Z', `${micros}Z`)}"`;
    };
    const logger = pino({ base: { project }, timestamp: exactTime }, stream);
    return async (lines) => {
      for await (const line of lines) logger.info(line);
      await sleep(5_000);
    };
  },

  'pino-loki': async () => {
    const { default: pino } = await import('pino');
    const logger = documentedLogger({ pino });
    return async (lines) => {
      for await (const line of lines) logger.info(line);
      // It sends every five seconds.
      await sleep(8_000);
    };
  },

  'winston-loki': async () => {
    const [{ default: winston }, { default: LokiTransport }] = await Promise.all([
      import('winston'),
      import('winston-loki'),
    ]);
    const logger = documentedLogger({ winston, LokiTransport });
    const [{ batcher }] = logger.transports;
    return async (lines) => {
      for await (const line of lines) logger.info(line);
      const deadline = Date.now() + BREAK_MS + DRAIN_MS;
      while ((batcher.batch.streams.length > 0 || batcher.batchesSending > 0) && Date.now() < deadline)
        await sleep(200);
    };
  },

  'splunk-logging': async () => {
    const { default: splunk } = await import('splunk-logging');
    const logger = new splunk.Logger({
      token,
      url: url.origin,
      maxRetries: 60,
      batchInterval: 500,
      maxBatchCount: 500,
    });
    logger.error = (error) => console.error(String(error));
    logger.eventFormatter = (message) => ({ message, project });
    let inFlight = 0;
    const sendEvents = logger._sendEvents;
    logger._sendEvents = (context, callback) => {
      inFlight++;
      sendEvents(context, (...outcome) => {
        inFlight--;
        callback?.(...outcome);
      });
    };
    return async (lines) => {
      for await (const line of lines) logger.send({ message: line, metadata: { index: source } });
      const deadline = Date.now() + DRAIN_MS;
      while ((logger.serializedContextQueue.length > 0 || inFlight > 0) && Date.now() < deadline) await sleep(200);
    };
  },
};

/**
 * The logger that docs/shippers.md makes.
 *
 * @param {Record<string, unknown>} names that its code uses
 */
function documentedLogger(names) {
  const make = `(${Object.keys(names).join(', ')}) => { ${process.env.LQE_DOCUMENTED}; return logger; }`;
  return runInThisContext(make, { filename: import.meta.filename })(...Object.values(names));
}

/** @param {AsyncIterable<string>} lines */
async function* documents(lines) {
  for await (const message of lines) yield { '@timestamp': new Date().toISOString(), message, project };
}

/** The interface drops lines that come before it is read. */
async function* readLines() {
  yield* createInterface({ input: process.stdin });
}

const send = await CLIENTS[process.argv[2]]();
console.log('ready');
await send(readLines());
process.exit(0);
