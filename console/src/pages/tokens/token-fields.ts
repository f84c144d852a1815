/** What a person enters for a token, as text, and the request that it makes. */
import type { DescribedToken, Scope } from '#contract/tokens/token';
import { localToApi } from '../../parts/local-time';

export interface TokenFields {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly isForAll: boolean;
  /** Names or ids of saved queries, one a line. */
  readonly endpoints: string;
  /** `name=value`, one a line. */
  readonly fixed: string;
  readonly tenant: string;
  readonly isRedacted: boolean;
  readonly maxRows: string;
  readonly rate: string;
  /** A time or a span; empty: never. */
  readonly expires: string;
  readonly note: string;
}

export const NEW_TOKEN: TokenFields = {
  name: '',
  scopes: ['query'],
  isForAll: true,
  endpoints: '',
  fixed: '',
  tenant: '',
  isRedacted: false,
  maxRows: '',
  rate: '',
  expires: '90d',
  note: '',
};

export function fieldsOfToken(token: DescribedToken): TokenFields {
  const { name, scopes, endpoints, fixed_parameters, tenant, force_redaction, max_rows, rate, expires_at } = token;
  return {
    name,
    scopes,
    isForAll: endpoints === '*',
    endpoints: endpoints === '*' ? '' : endpoints.join('\n'),
    fixed: Object.entries(fixed_parameters)
      .map(([key, value]) => `${key}=${value}`)
      .join('\n'),
    tenant: tenant ?? '',
    isRedacted: force_redaction,
    maxRows: max_rows === null ? '' : String(max_rows),
    rate: rate === null ? '' : String(rate),
    expires: expires_at ?? '',
    note: '',
  };
}

/** The fields as the service takes them. Texts that are no numbers stay texts, which the service refuses by name. */
export function policyBody(fields: TokenFields): Readonly<Record<string, unknown>> {
  return {
    name: fields.name.trim(),
    scopes: fields.scopes,
    endpoints: fields.isForAll ? '*' : linesOf(fields.endpoints),
    fixed_parameters: Object.fromEntries(linesOf(fields.fixed).map(splitFixed)),
    tenant: fields.tenant === '' ? null : fields.tenant,
    force_redaction: fields.isRedacted,
    max_rows: numberOr(fields.maxRows),
    rate: numberOr(fields.rate),
    expires_at: fields.expires.trim() === '' ? null : localToApi(fields.expires.trim(), 'until'),
  };
}

/** A merge patch [RFC 7396] with what differs. */
export function policyPatch(before: TokenFields, after: TokenFields): Readonly<Record<string, unknown>> {
  const [old, next] = [policyBody(before), policyBody(after)];
  const changed = Object.entries(next).filter(([key, value]) => JSON.stringify(old[key]) !== JSON.stringify(value));
  return Object.fromEntries(
    changed.map(([key, value]) => [key, key === 'fixed_parameters' ? withRemoved(old[key], value) : value])
  );
}

/** A merge patch keeps members that it does not name. */
function withRemoved(before: unknown, after: unknown): Readonly<Record<string, unknown>> {
  const removed = Object.keys(before as object).map((key) => [key, null] as const);
  return { ...Object.fromEntries(removed), ...(after as object) };
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function splitFixed(line: string): readonly [string, string] {
  const at = line.indexOf('=');
  return at === -1 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

function numberOr(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** Whether a text is one of the token with this id, of now or of before a rotation. */
export function isTextOf(text: string, id: string): boolean {
  return text.startsWith(`lqe_${id}_`);
}
