/** Listeners on real ports: files of certificates that change, and a stop while nothing is stored. */
import { createSocket } from 'node:dgram';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { Registry } from 'prom-client';
import { sourceSchema } from '#contract/events/source';
import { envToConfig, readEnv } from '#server/config';
import { createBodyBudget } from '#server/http/bodies/body-budget';
import { startSyslog } from '#server/ingest/syslog/receiver';
import { listenerSchema } from '#server/ingest/syslog/settings/listener';

const CERTIFICATES = path.resolve(__dirname, '..', '..', '..', 'backend', 'support', 'certificates');

const fingerprint = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });

it('a listener has its new certificate although the files of another cannot be read', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lqe-certificates-'));
  const put = (listener: string, certificate: string): void => {
    copyFileSync(path.join(CERTIFICATES, `${certificate}.pem`), path.join(folder, `${listener}.pem`));
    copyFileSync(path.join(CERTIFICATES, `${certificate}-key.pem`), path.join(folder, `${listener}.key`));
  };
  const listeners = ['broken', 'renewed'].map((name) => {
    put(name, 'server');
    const files = { certificate: path.join(folder, `${name}.pem`), key: path.join(folder, `${name}.key`) };
    return listenerSchema.parse({ name, transport: 'tls', port: 0, source: 'logs', ...files });
  });
  const ports = new Map<string, number>();
  const failed: string[] = [];
  const config = envToConfig(readEnv({}));
  const receiver = await startSyslog(
    {
      config,
      clock: { now: () => new Date(), monotonicMs: () => performance.now() },
      sources: { all: [{ name: 'logs', aliases: [] }] },
      metrics: { registry: new Registry() },
      bodyBudget: createBodyBudget({ maxBytes: 1e9, maxBytesPerToken: 1e9 }),
      logger: {
        info: (facts: { listener: string; port: number }) => void ports.set(facts.listener, facts.port),
        error: (facts: { listener: string }) => void failed.push(facts.listener),
      },
    } as unknown as Parameters<typeof startSyslog>[0],
    listeners
  );
  try {
    const before = await fingerprint(ports.get('broken')!);
    writeFileSync(path.join(folder, 'broken.pem'), 'no certificate');
    put('renewed', 'self');
    receiver.renewCertificates();
    expect(failed).toEqual(['broken']);
    expect(await fingerprint(ports.get('broken')!)).toBe(before);
    expect(await fingerprint(ports.get('renewed')!)).not.toBe(before);
  } finally {
    await receiver.stop(0);
    rmSync(folder, { recursive: true });
  }
});

it('a stop counts each datagram that is not stored, those that were not read as well', async () => {
  const registry = new Registry();
  const config = envToConfig(readEnv({}));
  let port = 0;
  const logged: number[] = [];
  const receiver = await startSyslog(
    {
      config: { ...config, syslog: { ...config.syslog, maxBufferBytes: 10_000 } },
      clock: { now: () => new Date(), monotonicMs: () => performance.now(), nowMicros: () => Date.now() * 1000 },
      sources: { all: [sourceSchema.parse({ name: 'logs' })] },
      metrics: { registry },
      bodyBudget: createBodyBudget({ maxBytes: 1e9, maxBytesPerToken: 1e9 }),
      ingestPermits: { acquire: () => new Promise(() => undefined) },
      logger: {
        info: (facts: { port: number }) => void (port = facts.port),
        error: ({ messages }: { messages: number }) => void logged.push(messages),
      },
    } as unknown as Parameters<typeof startSyslog>[0],
    [listenerSchema.parse({ name: 'switches', transport: 'udp', port: 0, source: 'logs' })]
  );
  const socket = createSocket('udp4');
  const sent = 25;
  const send = (): Promise<void> =>
    new Promise((resolve) => socket.send(`<13>${'x'.repeat(1000)}`, port, '127.0.0.1', () => resolve()));
  for (let count = 0; count < sent; count++) {
    await send();
    // Some are read, so that the queue is full before the memory of datagrams is.
    await sleep(5);
  }
  socket.close();
  await receiver.stop(100);
  const lost = await registry.getSingleMetric('logquery_syslog_lost_total')!.get();
  const counts = new Map(lost.values.map(({ labels, value }) => [labels.reason, value]));
  expect(counts.get('stopped')! + (counts.get('queue_full') ?? 0)).toBe(sent);
  expect(logged).toEqual([counts.get('stopped')]);
});
