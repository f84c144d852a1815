/** Rules for the fields of new and changed tokens, for HTTP and the command line alike. */
import { ENDPOINT_NAME_PATTERN, UUID_PATTERN } from '#contract/queries/saved-query';
import type { Scope, TokenPolicy } from '#contract/tokens/token';
import { isCalendarDay } from '../../common/calendar-day';
import { holdsTokenText } from './secrets/token-text';

/** Scopes of a token that is created without any. */
export const DEFAULT_SCOPES: readonly Scope[] = ['query', 'adhoc', 'endpoints:read'];
/** How long the old text of a rotated token stays valid. */
export const DEFAULT_GRACE_SECONDS = 3600;
export const MAX_GRACE_SECONDS = 99_999_999;

const MAX_NAME_CHARACTERS = 100;
/** Control characters, line separators, halves of surrogate pairs, and controls of the writing direction. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]/u;

/** @returns null for a valid name */
export function problemOfName(name: string): string | null {
  if (name.trim() === '' || name.length > MAX_NAME_CHARACTERS || UNPRINTABLE.test(name))
    return `must be 1 to ${MAX_NAME_CHARACTERS} characters without control characters`;
  return holdsTokenText(name) ? 'must not contain the text of an access token' : null;
}

/** Whether the text can be an id or a name of a saved query in the list of a token. */
export function isEndpointEntry(text: string): boolean {
  return UUID_PATTERN.test(text) || ENDPOINT_NAME_PATTERN.test(text);
}

const SPANS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN = /^(\d{1,6})([mhd])$/;
const TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

export type Expiry = { readonly at: string } | { readonly problem: string };

/** @param text a time (`2027-01-31`, `2027-01-31T12:00:00Z`) or a span from now (`12h`, `90d`) */
export function readExpiry(text: string, now: Date): Expiry {
  const at = expiryTime(text, now);
  if (at === null) return { problem: 'must be a time like 2027-01-31 or a span like 90d, 12h' };
  return at > now ? { at: at.toISOString() } : { problem: 'is in the past' };
}

function expiryTime(text: string, now: Date): Date | null {
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return new Date(now.getTime() + Number(count) * SPANS_MS[unit]!);
  const day = TIME.exec(text)?.[1];
  if (day === undefined || !isCalendarDay(day)) return null;
  const at = new Date(text);
  // Later years are written with more than four digits.
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 ? null : at;
}

/** The policy alone, without id, hashes and times. */
export function policyOf(token: TokenPolicy): TokenPolicy {
  return {
    name: token.name,
    scopes: token.scopes,
    endpoints: token.endpoints,
    fixed_parameters: token.fixed_parameters,
    tenant: token.tenant,
    force_redaction: token.force_redaction,
    max_rows: token.max_rows,
    rate: token.rate,
    expires_at: token.expires_at,
  };
}
