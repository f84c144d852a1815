/** Metrics of syslog listeners. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Form } from './parse/message';

/** Why a connection was not accepted, or was closed by the service. */
const REFUSALS = ['address', 'limit', 'tls', 'system', 'idle', 'slow', 'frame'] as const;
export type Refusal = (typeof REFUSALS)[number];
/** Why messages that arrived are not stored. */
const LOSSES = ['address', 'queue_full', 'rejected', 'refused', 'stopped'] as const;
export type Loss = (typeof LOSSES)[number];

export interface ListenerMetrics {
  /** @param bytes of the message */
  noteMessage(form: Form, bytes: number): void;
  noteCut(): void;
  noteBrokenText(): void;
  noteConnections(change: 1 | -1): void;
  noteRefusal(reason: Refusal): void;
  noteLoss(reason: Loss, messages: number): void;
}

export interface SyslogMetrics {
  /** @param name of a listener, which the operator gives */
  of(name: string): ListenerMetrics;
  /** @param waiting messages by listener, read at each scrape */
  observeWaiting(waiting: () => Iterable<readonly [name: string, messages: number]>): void;
  /** @param ends when certificates expire, in milliseconds since 1970, by listener with TLS, read at each scrape */
  observeCertificates(ends: () => Iterable<readonly [name: string, ms: number]>): void;
}

export function createSyslogMetrics(registry: Registry): SyslogMetrics {
  const registers = [registry];
  const count = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
    new Counter({ name, help, labelNames, registers });
  /** A gauge of each listener, read at each scrape. */
  const gauge = (
    name: string,
    help: string,
    read: () => Iterable<readonly [listener: string, value: number]>
  ): void => {
    new Gauge({
      name,
      help,
      labelNames: ['listener'] as const,
      registers,
      collect() {
        for (const [listener, value] of read()) this.set({ listener }, value);
      },
    });
  };
  const messages = count('logquery_syslog_messages_total', 'Messages that were read, by the form of their header.', [
    'listener',
    'form',
  ]);
  const bytes = count('logquery_syslog_bytes_total', 'Bytes of these messages.', ['listener']);
  const cut = count(
    'logquery_syslog_cut_total',
    'Messages that were longer than allowed, or not complete: their beginning is stored.',
    ['listener']
  );
  const broken = count(
    'logquery_syslog_broken_text_total',
    'Messages with bytes that are not UTF-8, or with NUL: U+FFFD is in their place.',
    ['listener']
  );
  const lost = count('logquery_syslog_lost_total', 'Messages that arrived and are not stored.', ['listener', 'reason']);
  const connections = new Gauge({
    name: 'logquery_syslog_connections',
    help: 'Open connections.',
    labelNames: ['listener'] as const,
    registers,
  });
  const refused = count(
    'logquery_syslog_refused_connections_total',
    'Connections that were not accepted, or were closed by the service.',
    ['listener', 'reason']
  );
  // Prometheus sees no rise of a series that begins with its first loss.
  const beginAtZero = (listener: string): void => {
    for (const counter of [bytes, cut, broken]) counter.inc({ listener }, 0);
    for (const reason of LOSSES) lost.inc({ listener, reason }, 0);
    for (const reason of REFUSALS) refused.inc({ listener, reason }, 0);
    connections.inc({ listener }, 0);
  };
  const listenerMetrics = (listener: string): ListenerMetrics => {
    beginAtZero(listener);
    return {
      noteMessage: (form, size) => {
        messages.inc({ listener, form });
        bytes.inc({ listener }, size);
      },
      noteCut: () => cut.inc({ listener }),
      noteBrokenText: () => broken.inc({ listener }),
      noteConnections: (change) => connections.inc({ listener }, change),
      noteRefusal: (reason) => refused.inc({ listener, reason }),
      noteLoss: (reason, number) => lost.inc({ listener, reason }, number),
    };
  };
  return {
    of: listenerMetrics,
    observeWaiting: (waiting) =>
      gauge('logquery_syslog_waiting', 'Messages that were read and are not stored yet.', waiting),
    observeCertificates: (ends) =>
      gauge(
        'logquery_syslog_certificate_expiry_timestamp_seconds',
        'When the certificate of the listener expires, in seconds since 1970.',
        function* () {
          for (const [listener, ms] of ends()) yield [listener, ms / 1000];
        }
      ),
  };
}
