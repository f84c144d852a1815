/** Cache headers of responses [RFC 9111, RFC 9211] and cache directives of requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CachedResult } from '../../cache/cached-result';
import type { Served } from '../../cache/query-cache';
import { listHeader } from '../parsing/header-values';

/** Directives of requests that are read. Others are ignored. */
type RequestDirective = 'no-cache' | 'no-store';

/** Whether the caller sends this directive in `Cache-Control`. */
export function hasCacheDirective(req: IncomingMessage, wanted: RequestDirective): boolean {
  const directives = listHeader(req, 'cache-control');
  if (directives === undefined) return false;
  return directives.split(',').some((directive) => directive.trim().toLowerCase() === wanted);
}

/** @param ageSeconds age of `served.entry`; 0 without an entry */
export function setCacheHeaders(res: ServerResponse, served: Served, ageSeconds: number): void {
  res.setHeader('Cache-Status', `log-query; ${describe(served, ageSeconds)}`);
  if (!served.entry) {
    res.setHeader('Cache-Control', 'no-store');
    return;
  }
  // `private`: responses to a token must not enter shared caches. Clients subtract the age from max-age.
  res.setHeader('Cache-Control', `private, max-age=${served.entry.policy.cacheSeconds}`);
  res.setHeader('Age', String(ageSeconds));
}

/** Strong entity tag: equal tags mean equal bytes. @param coding null: no content coding */
export function strongTag({ digest }: CachedResult, coding: string | null): string {
  return coding === null ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** Weak entity tag: the rows are equal, but the body contains its age. */
export function weakTag({ digest }: CachedResult): string {
  return `W/"${digest}"`;
}

function describe({ outcome, entry }: Served, ageSeconds: number): string {
  const stored = entry ? '; stored' : '';
  switch (outcome) {
    case 'hit': {
      const ttl = entry!.policy.cacheSeconds - ageSeconds;
      return `hit; ttl=${ttl}${entry!.refreshFailed ? '; detail=stale-if-error' : ''}`;
    }
    case 'shared':
      return entry ? `hit; ttl=${entry.policy.cacheSeconds - ageSeconds}; detail=shared` : 'hit; detail=shared';
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
