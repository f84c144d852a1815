/** Metrics of syslog listeners. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Form } from './parse/message';

/** Why a connection was not accepted, or was closed by the service. */
export type Refusal = 'address' | 'limit' | 'tls' | 'idle' | 'slow' | 'frame';
/** Why messages that arrived are not stored. */
export type Loss = 'address' | 'queue_full' | 'rejected' | 'refused' | 'stopped';

export interface ListenerFigures {
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
  of(name: string): ListenerFigures;
  /** @param waiting messages by listener, read at each scrape */
  observeWaiting(waiting: () => Iterable<readonly [name: string, messages: number]>): void;
}

export function createSyslogMetrics(registry: Registry): SyslogMetrics {
  const registers = [registry];
  const labelNames = ['listener'] as const;
  const messages = new Counter({
    name: 'logquery_syslog_messages_total',
    help: 'Messages that were read, by the form of their header.',
    labelNames: ['listener', 'form'] as const,
    registers,
  });
  const bytes = new Counter({
    name: 'logquery_syslog_bytes_total',
    help: 'Bytes of these messages.',
    labelNames,
    registers,
  });
  const cut = new Counter({
    name: 'logquery_syslog_cut_total',
    help: 'Messages that were longer than allowed, or not complete: their beginning is stored.',
    labelNames,
    registers,
  });
  const broken = new Counter({
    name: 'logquery_syslog_broken_text_total',
    help: 'Messages with bytes that are not UTF-8, or with NUL: U+FFFD is in their place.',
    labelNames,
    registers,
  });
  const lost = new Counter({
    name: 'logquery_syslog_lost_total',
    help: 'Messages that arrived and are not stored.',
    labelNames: ['listener', 'reason'] as const,
    registers,
  });
  const connections = new Gauge({
    name: 'logquery_syslog_connections',
    help: 'Open connections.',
    labelNames,
    registers,
  });
  const refused = new Counter({
    name: 'logquery_syslog_refused_connections_total',
    help: 'Connections that were not accepted, or were closed by the service.',
    labelNames: ['listener', 'reason'] as const,
    registers,
  });
  return {
    of: (listener) => ({
      noteMessage: (form, count) => {
        messages.inc({ listener, form });
        bytes.inc({ listener }, count);
      },
      noteCut: () => cut.inc({ listener }),
      noteBrokenText: () => broken.inc({ listener }),
      noteConnections: (change) => connections.inc({ listener }, change),
      noteRefusal: (reason) => refused.inc({ listener, reason }),
      noteLoss: (reason, count) => lost.inc({ listener, reason }, count),
    }),
    observeWaiting: (waiting) => {
      new Gauge({
        name: 'logquery_syslog_waiting',
        help: 'Messages that were read and are not stored yet.',
        labelNames,
        registers,
        collect() {
          for (const [listener, count] of waiting()) this.set({ listener }, count);
        },
      });
    },
  };
}
