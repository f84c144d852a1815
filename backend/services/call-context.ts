/** Context of a gRPC call beside its message: cancellation, login headers, trace. */
import type { Metadata } from '@grpc/grpc-js';
import type { Instance } from '../instances/instance';
import type { HeaderLists } from '../proto/messages';
import { CallController, type CallSignal } from '../service-client/calls/call-signal';
import type { CallContext } from '../service-client/service-client';

/** The parts that all kinds of gRPC calls share. */
export interface GrpcCall {
  readonly metadata: Metadata;
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
  removeAllListeners(event: 'cancelled'): unknown;
}

export function callContext(
  call: GrpcCall,
  instance: Instance,
  headers: Readonly<Record<string, string>>
): CallContext {
  const traceparent = call.metadata.get('traceparent')[0];
  return {
    signal: signalOf(call),
    forwarded: forwardedHeaders(instance, headers),
    ...(traceparent === undefined ? {} : { traceparent: traceparent.toString() }),
  };
}

/** Aborts on cancellation and on a passed deadline, which gRPC reports as one event. */
function signalOf(call: GrpcCall): CallSignal {
  const controller = new CallController();
  if (call.cancelled) controller.abort();
  else call.on('cancelled', () => controller.abort());
  return controller;
}

/** Headers of a resource call, reduced to their first values. */
export function flatHeaders(headers: HeaderLists): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, { values }]) => (values[0] === undefined ? [] : [[name, values[0]]]))
  );
}

const LOGIN_HEADERS = ['authorization', 'x-id-token'];

/**
 * Headers that the data source is configured to forward. In queries a prefix marks HTTP headers, in resource calls it
 * does not.
 */
function forwardedHeaders({ settings }: Instance, headers: Readonly<Record<string, string>>): Record<string, string> {
  const forwarded: Record<string, string> = {};
  if (!settings.forwardsLogin && settings.keptCookies.length === 0) return forwarded;
  for (const [given, value] of Object.entries(headers)) {
    const name = given.replace(/^http_/, '').toLowerCase();
    if (settings.forwardsLogin && LOGIN_HEADERS.includes(name)) forwarded[name] = value;
    if (name === 'cookie') {
      const cookies = keptCookies(value, settings.keptCookies);
      if (cookies !== '') forwarded[name] = cookies;
    }
  }
  return forwarded;
}

function keptCookies(header: string, names: readonly string[]): string {
  const cookies = header.split(';').map((cookie) => cookie.trim());
  return cookies.filter((cookie) => names.includes(cookie.slice(0, cookie.indexOf('=')))).join('; ');
}
