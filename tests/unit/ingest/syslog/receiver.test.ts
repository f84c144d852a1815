/** Listeners for TLS on real ports, with files of certificates that change. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { Registry } from 'prom-client';
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
