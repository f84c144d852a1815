/** What the cache says of itself in headers [RFC 9111, RFC 9211], and what a caller may ask of it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CachedResult } from '../../cache/cached-result';
import type { Served } from '../../cache/query-cache';
import { listHeader } from '../parsing/header-values';

/** Whether the caller wants rows of now: `Cache-Control: no-cache`. Other directives have no meaning here. */
export function asksAfresh(req: IncomingMessage): boolean {
  const directives = listHeader(req, 'cache-control');
  if (directives === undefined) return false;
  return directives.split(',').some((directive) => directive.trim().toLowerCase() === 'no-cache');
}

/** @param ageSeconds of `served.held`; 0 when nothing is held */
export function setCacheHeaders(res: ServerResponse, served: Served, ageSeconds: number): void {
  res.setHeader('Cache-Status', `log-query; ${describe(served, ageSeconds)}`);
  if (!served.entry) {
    res.setHeader('Cache-Control', 'no-store');
    return;
  }
  // `private`: an answer to a key is not for caches that others share. The client subtracts the age.
  res.setHeader('Cache-Control', `private, max-age=${served.entry.policy.cacheSeconds}`);
  res.setHeader('Age', String(ageSeconds));
}

/** Strong: equal tags, equal bytes. @param coding null: none */
export function strongTag({ digest }: CachedResult, coding: string | null): string {
  return coding === null ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** Same rows, but the body says its age. */
export function weakTag({ digest }: CachedResult): string {
  return `W/"${digest}"`;
}

function describe({ outcome, entry: held }: Served, ageSeconds: number): string {
  const stored = held ? '; stored' : '';
  switch (outcome) {
    case 'hit': {
      const ttl = held!.policy.cacheSeconds - ageSeconds;
      return `hit; ttl=${ttl}${held!.refreshFailed ? '; detail=stale-if-error' : ''}`;
    }
    case 'shared':
      return held ? `hit; ttl=${held.policy.cacheSeconds - ageSeconds}; detail=shared` : 'hit; detail=shared';
    case 'miss':
      return `fwd=miss${stored}`;
    case 'collapsed':
      return `fwd=miss${stored}; collapsed`;
    case 'refresh':
      return `fwd=request${stored}`;
    case 'bypass':
      return 'fwd=bypass';
  }
}
