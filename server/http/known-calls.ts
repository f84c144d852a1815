/**
 * Calls that came before, understood already. A caller who polls sends the same bytes again: what was made of them - URL, parameters, wishes
 * in headers - is what it was, as long as the saved queries and the token are the same. What depends on anything else is not in here:
 * rates, room for answers and the result are looked at for each request.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { SavedQuery } from '#contract/saved-query';
import type { Question } from '../cache/cache-key';
import type { CachePolicy } from '../cache/cached-result';
import type { Principal } from '../tokens/principal';
import type { AcceptedCodings } from './negotiate-coding';

/** A call to a saved query after all checks, with everything that they brought. */
export interface KnownCall {
  readonly principal: Principal;
  /** The pattern of its path. */
  readonly route: string;
  readonly question: Question;
  readonly policy: CachePolicy;
  readonly codings: AcceptedCodings;
  /** Names of parameters that mean nothing here. */
  readonly ignored: readonly string[];
}

export interface KnownCalls {
  find(req: IncomingMessage): KnownCall | undefined;
  /** @param call what was made of this request; forgotten when other saved queries are put in place */
  remember(req: IncomingMessage, call: KnownCall): void;
}

const MAX_CALLS = 1000;
/** In characters, of ad-hoc text and parameters. */
const MAX_SIZE = 4_000_000;

/** Headers that are read for each request and mean nothing for what is asked: tracing, and what the caller holds already. */
const APART = ['x-request-id', 'traceparent', 'tracestate', 'if-none-match'];

const HEAD = Symbol('head');

interface WithHead {
  [HEAD]?: string;
}

interface Entry {
  readonly call: KnownCall;
  readonly definitions: readonly SavedQuery[];
}

/** @param definitions the saved queries that are served now: one value for each set */
export function createKnownCalls(definitions: () => readonly SavedQuery[], maxHeaderBytes: number): KnownCalls {
  const calls = new LRUCache<string, Entry>({ max: MAX_CALLS, maxSize: MAX_SIZE });
  return {
    find(req) {
      if (calls.size === 0 || !isPlainRead(req)) return undefined;
      const head = headOf(req, maxHeaderBytes);
      const entry = head === null ? undefined : calls.get(head);
      return entry?.definitions === definitions() ? entry.call : undefined;
    },
    remember(req, call) {
      const head = isPlainRead(req) ? headOf(req, maxHeaderBytes) : null;
      if (head === null) return;
      const size = 1 + JSON.stringify([call.question.parameters, call.question.adhoc, call.ignored]).length;
      calls.set(head, { call, definitions: definitions() }, { size });
    },
  };
}

function isPlainRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * A digest of the whole head but the headers that stand apart: keys are in it, and nobody finds them in memory by it. Null when the
 * head is longer than it may be, which is for the checks to say.
 */
function headOf(req: IncomingMessage & WithHead, maxHeaderBytes: number): string | null {
  if (req[HEAD] !== undefined) return req[HEAD];
  const { rawHeaders } = req;
  let bytes = 0;
  // No line of a head holds a line break.
  let text = `${req.method} ${req.httpVersion} ${req.url}`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!];
    bytes += name.length + value.length + SEPARATORS;
    if (!APART.includes(name.toLowerCase())) text += `\n${name}:${value}`;
  }
  if (bytes > maxHeaderBytes) return null;
  return (req[HEAD] = hash('sha256', text, 'base64url'));
}

const SEPARATORS = ': \r\n'.length;
