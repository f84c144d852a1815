/**
 * What rsyslog's output `omhttp` sends, by its public source (rsyslog/rsyslog ee72adc: contrib/omhttp/omhttp.c,
 * runtime/action.c), with the settings of docs/shippers.md. The queue hands over up to 256 messages at a time, which go
 * out in batches of 100, one after another. When one of them fails, each of the 256 is sent alone, also those of
 * batches that succeeded; from the first that fails twice on, the rest is sent in batches again, after each
 * `action.resumeInterval`, until all batches of one attempt succeed.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningShipper } from '../support/shipper';
import { formatTime, stamp } from './clock';
import { openPoster } from './post';

const TRANSACTION_MESSAGES = 256;
const BATCH_MESSAGES = 100;

/** @param config in RainerScript; the token is in place of `` `echo $LQE_TOKEN` `` */
export function startRsyslog(config: string): RunningShipper {
  const setting = (name: string): string => {
    const match = new RegExp(`[ (]${name.replace('.', '\\.')}="([^"]*)"`).exec(config);
    if (!match) throw new Error(`the stand-in misses the setting ${name}`);
    return match[1]!;
  };
  const properties = [...config.matchAll(/property\(outname="(\w+)" name="(\w+)"/g)].map(([, out, name]) => [
    out!,
    name!,
  ]);
  const constants = [...config.matchAll(/constant\(outname="(\w+)" value="(\w+)"/g)].map(([, out, value]) => [
    out!,
    value!,
  ]);
  const url = `http://${setting('server')}:${setting('serverport')}/${setting('restpath')}`;
  const headers = {
    Accept: '*/*',
    'Content-Type': setting('httpcontenttype'),
    [setting('httpheaderkey')]: setting('httpheadervalue'),
  };
  const intervalMs = Number(setting('action.resumeInterval')) * 1_000;
  const isUnlimited = setting('action.resumeRetryCount') === '-1';
  if (!isUnlimited || setting('batch.format') !== 'newline')
    throw new Error('the stand-in does not know these settings');
  const poster = openPoster();
  const words: string[] = [];
  const queue: string[] = [];
  let isStopped = false;
  let isBusy = false;

  const render = (msg: string, nanos: bigint): string => {
    const values: Record<string, string> = {
      uuid: randomUUID().replaceAll('-', '').toUpperCase(),
      timegenerated: formatTime(nanos, 6).replace('Z', '+00:00'),
      msg,
      hostname: 'web-1',
    };
    const fields = [...properties.map(([out, name]) => [out!, values[name!]!]), ...constants];
    return `${JSON.stringify(Object.fromEntries(fields))}\n`;
  };

  /** @returns whether it was accepted, or refused for good */
  const send = async (messages: readonly string[]): Promise<boolean> => {
    const status = await poster.post(url, headers, Buffer.from(messages.join('\n')));
    if (status < 200 || status >= 300) words.push(`status ${status}`);
    return isStopped || (status >= 200 && status < 500 && status !== 429);
  };
  const sendInBatches = async (messages: readonly string[]): Promise<boolean> => {
    for (let start = 0; start < messages.length; start += BATCH_MESSAGES) {
      if (!(await send(messages.slice(start, start + BATCH_MESSAGES)))) return false;
    }
    return true;
  };
  const commit = async (messages: readonly string[]): Promise<void> => {
    if (await sendInBatches(messages)) return;
    let sent = messages.length > 1 ? 0 : -1;
    while (sent >= 0 && sent < messages.length) {
      const one = messages.slice(sent, sent + 1);
      if (!(await send(one))) {
        await delay(intervalMs);
        if (!(await send(one))) break;
      }
      sent++;
    }
    const rest = messages.slice(Math.max(sent, 0));
    while (rest.length > 0 && !(await sendInBatches(rest))) await delay(intervalMs);
  };
  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (queue.length > 0 && !isStopped) await commit(queue.splice(0, TRANSACTION_MESSAGES));
    isBusy = false;
  };

  return {
    log: (lines) => {
      queue.push(...stamp(lines).map(({ line, nanos }) => render(line, nanos)));
      void work();
      return Promise.resolve();
    },
    end: () => Promise.resolve(),
    stop: () => {
      isStopped = true;
      poster.close();
      return Promise.resolve();
    },
    output: () => words.join('\n'),
  };
}
