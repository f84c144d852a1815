/**
 * What Fluent Bit's output `http` sends, by its public source (fluent/fluent-bit d55459d: plugins/out_http/http.c,
 * src/flb_pack.c, src/flb_scheduler.c, src/flb_input_chunk.c), with the settings of docs/shippers.md. Each second, or
 * at 2,048,000 bytes, the lines so far are a chunk; two workers send chunks side by side; a chunk that fails is sent
 * again with the same bytes after 5 s to 5 s × 2ⁿ, and one more second.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import type { RunningShipper } from '../support/shipper';
import { formatTime, stamp } from './clock';
import { openPoster } from './post';

const FLUSH_MS = 1_000;
const CHUNK_BYTES = 2_048_000;
const WORKERS = 2;
const BACKOFF = { baseS: 5, capS: 2_000 };

interface Config {
  readonly pipeline: {
    readonly filters: readonly [{ readonly rename: string; readonly add: string }];
    readonly outputs: readonly [Output];
  };
}

interface Output {
  readonly name: 'http';
  readonly match: '*';
  readonly host: string;
  readonly port: number;
  readonly uri: string;
  readonly format: 'json_lines';
  readonly json_date_key: string;
  readonly json_date_format: 'iso8601';
  readonly compress: 'gzip';
  readonly header: string;
  readonly retry_limit: 'no_limits';
}

/** @param config in YAML; the token is in place of `${LQE_TOKEN}` */
export function startFluentBit(config: string): RunningShipper {
  const { filters, outputs } = (parse(config) as Config).pipeline;
  const output = outputs[0];
  ensureKnown(output);
  const [, renamed] = filters[0].rename.split(' ');
  const [added, value] = filters[0].add.split(' ');
  const [headerName, headerValue] = output.header.split(' ');
  const url = `http://${output.host}:${output.port}${output.uri}`;
  const poster = openPoster();
  const words: string[] = [];
  const waiting: Buffer[] = [];
  let open: string[] = [];
  let openBytes = 0;
  let busy = 0;
  let isStopped = false;

  const headers = {
    'Content-Type': 'application/x-ndjson',
    'Content-Encoding': 'gzip',
    'User-Agent': 'Fluent-Bit',
    [headerName!]: headerValue!,
  };

  const flush = (): void => {
    if (open.length === 0) return;
    waiting.push(gzipSync(open.join('')));
    open = [];
    openBytes = 0;
    work();
  };
  const work = (): void => {
    while (busy < WORKERS && waiting.length > 0) {
      busy++;
      void sendOnce(waiting.shift()!, 1).finally(() => {
        busy--;
        work();
      });
    }
  };
  const sendOnce = async (chunk: Buffer, attempt: number): Promise<void> => {
    const status = await poster.post(url, headers, chunk);
    if (isStopped || (status >= 200 && status <= 205)) return;
    words.push(`status ${status}, attempt ${attempt}`);
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return;
    // A chunk that waits for its next attempt occupies no worker.
    void delay(backoffMs(attempt)).then(() => {
      if (isStopped) return;
      busy++;
      void sendOnce(chunk, attempt + 1).finally(() => busy--);
    });
  };

  const timer = setInterval(flush, FLUSH_MS);
  return {
    log: (lines) => {
      for (const { line, nanos } of stamp(lines)) {
        const time = formatTime(nanos, 6);
        const record = JSON.stringify({ [output.json_date_key]: time, [renamed!]: line, [added!]: value });
        open.push(`${record}\n`);
        openBytes += record.length + 1;
        if (openBytes > CHUNK_BYTES) flush();
      }
      return Promise.resolve();
    },
    end: () => Promise.resolve(),
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      poster.close();
      return Promise.resolve();
    },
    output: () => words.join('\n'),
  };
}

function backoffMs(attempt: number): number {
  const highest = Math.min(BACKOFF.capS, BACKOFF.baseS * 2 ** attempt);
  const seconds = BACKOFF.baseS + Math.floor(Math.random() * (highest - BACKOFF.baseS + 1));
  return (seconds + 1) * 1_000;
}

function ensureKnown(output: Output): void {
  const { name, match, format, json_date_format, compress, retry_limit } = output;
  const known = ['http', '*', 'json_lines', 'iso8601', 'gzip', 'no_limits'];
  const found = [name, match, format, json_date_format, compress, retry_limit];
  if (found.join() !== known.join()) throw new Error(`the stand-in does not know this configuration: ${found.join()}`);
}
