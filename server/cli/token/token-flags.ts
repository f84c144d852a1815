/** Flags of `lqe token`. */
import { InvalidArgumentError } from 'commander';
import { type Scope, SCOPES, type TokenPolicy } from '#contract/tokens/token';
import { isTenant, MAX_TENANT_BYTES } from '#contract/tokens/tenant';
import {
  DEFAULT_SCOPES,
  isEndpointEntry,
  MAX_GRACE_SECONDS,
  problemOfName,
  readExpiry,
} from '../../catalog/tokens/token-fields';
import type { TokenPatch } from './token-backend';

const NEVER = 'never';
const ALL = '*';
const ALL_SCOPES = 'all';

/** Flags of the fields of a token. */
export interface PolicyFlags {
  readonly name?: string;
  readonly scope?: readonly Scope[];
  readonly endpoint?: readonly string[];
  readonly fix?: Readonly<Record<string, string>>;
  readonly tenant?: string;
  readonly forceRedaction?: boolean;
  readonly maxRows?: number;
  readonly rate?: number;
  /** ISO 8601; `never` removes the expiry. */
  readonly expires?: string;
}

export function policyOfFlags(flags: PolicyFlags & { readonly name: string }): TokenPolicy {
  return {
    name: flags.name,
    scopes: [...(flags.scope ?? DEFAULT_SCOPES)],
    endpoints: flags.endpoint === undefined ? ALL : endpointsOf(flags.endpoint),
    fixed_parameters: { ...flags.fix },
    tenant: flags.tenant ?? null,
    force_redaction: flags.forceRedaction ?? false,
    max_rows: flags.maxRows ?? null,
    rate: flags.rate ?? null,
    expires_at: flags.expires ?? null,
  };
}

/** The fields that flags were given for. */
export function patchOfFlags(flags: PolicyFlags): TokenPatch {
  return {
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.scope === undefined ? {} : { scopes: [...flags.scope] }),
    ...(flags.endpoint === undefined ? {} : { endpoints: endpointsOf(flags.endpoint) }),
    ...(flags.fix === undefined ? {} : { fixed_parameters: { ...flags.fix } }),
    ...(flags.tenant === undefined ? {} : { tenant: flags.tenant }),
    ...(flags.forceRedaction === undefined ? {} : { force_redaction: flags.forceRedaction }),
    ...(flags.maxRows === undefined ? {} : { max_rows: flags.maxRows }),
    ...(flags.rate === undefined ? {} : { rate: flags.rate }),
    ...(flags.expires === undefined ? {} : { expires_at: flags.expires === NEVER ? null : flags.expires }),
  };
}

function endpointsOf(names: readonly string[]): '*' | string[] {
  return names.length === 1 && names[0] === ALL ? ALL : [...names];
}

export function collectEndpoints(text: string, before: readonly string[] = []): readonly string[] {
  if (text !== ALL && !isEndpointEntry(text))
    throw new InvalidArgumentError('must be ids or names of saved queries, separated by spaces.');
  if (before.length > 0 && [text, ...before].includes(ALL))
    throw new InvalidArgumentError('"*" is all saved queries: give it alone.');
  return [...new Set([...before, text])];
}

export function tokenName(text: string): string {
  const problem = problemOfName(text);
  if (problem !== null) throw new InvalidArgumentError(`${problem}.`);
  return text;
}

export function tenantName(text: string): string {
  if (!isTenant(text))
    throw new InvalidArgumentError(`must be 1 to ${MAX_TENANT_BYTES} bytes of text without control characters.`);
  return text;
}

export function collectScopes(text: string, before: readonly Scope[] = []): readonly Scope[] {
  const scopes = text.split(',').flatMap((part): readonly Scope[] => {
    if (part.trim() === ALL_SCOPES) return SCOPES;
    const found = SCOPES.find((scope) => scope === part.trim());
    if (found === undefined) throw new InvalidArgumentError(`must be ${ALL_SCOPES}, or of ${SCOPES.join(', ')}.`);
    return [found];
  });
  return [...new Set([...before, ...scopes])];
}

export function collectFixed(
  text: string,
  before: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]{0,63})=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined || name === '__proto__')
    throw new InvalidArgumentError('must be written name=value.');
  return { ...before, [name]: value };
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number of at least 1.');
  return Number(text);
}

export function graceSeconds(text: string): number {
  if (!/^\d{1,8}$/.test(text) || Number(text) > MAX_GRACE_SECONDS)
    throw new InvalidArgumentError('must be a whole number of seconds, 0 or more.');
  return Number(text);
}

export function expiry(text: string): string {
  const read = readExpiry(text, new Date());
  if ('problem' in read) throw new InvalidArgumentError(`${read.problem.replace(/\.$/, '')}.`);
  return read.at;
}

/** For a change. */
export function expiryOrNever(text: string): string {
  return text === NEVER ? NEVER : expiry(text);
}
