/**
 * What Vector's sink `http` sends, by its public source (vectordotdev/vector c3445d4: src/sinks/http/,
 * src/sinks/util/{batch,http,retries,service}.rs, lib/codecs/src/encoding/format/json.rs), with the settings of
 * docs/shippers.md. A batch ends after a second or at 10 MB; one request at a time is on its way at first, one more
 * after each that succeeds; a request that fails is sent again with the same bytes, without an end, after a random part
 * of 1, 2, 3, 5, 8 ... 30 seconds.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import type { RunningShipper } from '../support/shipper';
import { formatTime, stamp } from './clock';
import { openPoster } from './post';

const BATCH_MS = 1_000;
const BATCH_BYTES = 10_000_000;
const MAX_CONCURRENCY = 5;
const MAX_WAIT_S = 30;

interface Config {
  readonly transforms: { readonly proxy_logs: { readonly type: 'remap'; readonly source: string } };
  readonly sinks: { readonly lqe: Sink };
}

interface Sink {
  readonly type: 'http';
  readonly uri: string;
  readonly compression: 'gzip';
  readonly encoding: { readonly codec: 'json' };
  readonly framing: { readonly method: 'newline_delimited' };
  readonly request: { readonly headers: Readonly<Record<string, string>> };
}

/** @param config in YAML; the token is in place of `${LQE_TOKEN}` */
export function startVector(config: string, file: string): RunningShipper {
  const { transforms, sinks } = parse(config) as Config;
  const sink = sinks.lqe;
  ensureKnown(sink);
  const assigned = assignments(transforms.proxy_logs.source);
  const poster = openPoster();
  const words: string[] = [];
  const waiting: Buffer[] = [];
  let open: string[] = [];
  let openBytes = 0;
  let busy = 0;
  let limit = 1;
  let isStopped = false;

  const headers = {
    'Content-Type': 'application/x-ndjson',
    'Content-Encoding': 'gzip',
    'User-Agent': 'Vector/0.58.0',
    'Accept-Encoding': 'identity',
    ...sink.request.headers,
  };

  const flush = (): void => {
    if (open.length === 0) return;
    waiting.push(gzipSync(open.join('\n')));
    open = [];
    openBytes = 0;
    work();
  };
  const work = (): void => {
    while (busy < limit && waiting.length > 0) {
      busy++;
      void deliver(waiting.shift()!).finally(() => {
        busy--;
        limit = Math.min(limit + 1, MAX_CONCURRENCY);
        work();
      });
    }
  };
  const deliver = async (body: Buffer): Promise<void> => {
    for (
      let [previous, current] = [0, 1];
      ;
      [previous, current] = [current, Math.min(previous + current, MAX_WAIT_S)]
    ) {
      const status = await poster.post(sink.uri, headers, body);
      if (isStopped || (status >= 200 && status < 300)) return;
      words.push(`status ${status}`);
      const isRetried = status === 0 || status === 408 || status === 429 || (status >= 500 && status !== 501);
      if (!isRetried) return;
      await delay(1 + Math.random() * current * 1_000);
    }
  };

  const timer = setInterval(flush, BATCH_MS);
  return {
    log: (lines) => {
      for (const { line: message, nanos } of stamp(lines)) {
        // Keys are in the order of their bytes.
        const fields = { file, host: 'web-1', message, source_type: 'file', ...assigned };
        const event = { ...fields, timestamp: formatTime(nanos, 'auto') };
        const sorted = Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1));
        const text = JSON.stringify(Object.fromEntries(sorted));
        open.push(text);
        openBytes += text.length + 1;
        if (openBytes > BATCH_BYTES) flush();
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

/** @returns the fields that a remap program sets to a text */
function assignments(program: string): Record<string, string> {
  const lines = program.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const match = /^\.(\w+) = ("[^"]*")$/.exec(line);
      if (!match) throw new Error(`the stand-in does not know this program: ${line}`);
      return [match[1]!, JSON.parse(match[2]!) as string];
    })
  );
}

function ensureKnown({ type, compression, encoding, framing }: Sink): void {
  const known = ['http', 'gzip', 'json', 'newline_delimited'];
  const found = [type, compression, encoding.codec, framing.method];
  if (found.join() !== known.join()) throw new Error(`the stand-in does not know this configuration: ${found.join()}`);
}
