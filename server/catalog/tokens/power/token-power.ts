/**
 * Power of a token over other tokens: it gives away at most what it has, and a confined token knows only the tokens
 * within its own confinement.
 */
import { ServiceError } from '#contract/errors';
import { keysOf } from '#contract/records';
import { type SavedQuery, UUID_PATTERN } from '#contract/queries/saved-query';
import type { TokenPolicy } from '#contract/tokens/token';
import { isConfined } from '../principal';
import { tenantOf } from '../tenant-of';
import type { TokenShare } from './token-share';

export interface PowerRules {
  readonly definitions: {
    readonly all: readonly SavedQuery[];
    find(idOrName: string): SavedQuery | undefined;
  };
  /** Requests a minute of a token without a rate of its own. */
  readonly defaultRate: number;
}

export type LimitedField = Exclude<keyof TokenPolicy, 'name'>;

export interface TokenPower {
  /** Whether the maker is confined to a part of the events, of their text or of the saved queries. */
  readonly isConfined: boolean;
  /** Fields in which the policy has more than the maker. */
  exceeded(requested: TokenPolicy): readonly LimitedField[];
  /**
   * The policy with the saved queries as the maker's own list names them, so that a later change of their names gives
   * the new token no other saved query than the maker.
   * @throws ServiceError `token_exceeded`
   */
  grant(requested: TokenPolicy): TokenPolicy;
  /** Whether the maker may know the token. */
  readonly covers: (policy: TokenPolicy) => boolean;
  /** Tokens of its tenant, else those that it may know. */
  readonly share: TokenShare;
}

/** @throws ServiceError `tenant_denied` when the maker names two tenants */
export function powerOf(maker: TokenPolicy, rules: PowerRules): TokenPower {
  const tenant = tenantOf({ policy: maker }, rules.definitions);
  const ownEntry = createEntryFinder(maker, rules.definitions);

  const isSeen = ({ endpoints }: TokenPolicy): boolean =>
    maker.endpoints === '*' || (endpoints !== '*' && endpoints.every((entry) => ownEntry(entry) !== undefined));
  const isFixed = ({ fixed_parameters: fixed }: TokenPolicy): boolean =>
    Object.entries(maker.fixed_parameters).every(
      ([name, value]) => Object.hasOwn(fixed, name) && fixed[name] === value
    );
  const isOfTenant = (policy: TokenPolicy): boolean =>
    tenant === null || tenantOrNone(policy, rules.definitions) === tenant;

  const isWithin: { readonly [F in LimitedField]: (requested: TokenPolicy) => boolean } = {
    scopes: ({ scopes }) => scopes.every((scope) => maker.scopes.includes(scope)),
    endpoints: isSeen,
    fixed_parameters: isFixed,
    // A tenant that is implied by a parameter ends with the declaration of that parameter.
    tenant: (requested) => isOfTenant(requested) && (maker.tenant === null || requested.tenant === maker.tenant),
    force_redaction: (requested) => requested.force_redaction || !maker.force_redaction,
    max_rows: (requested) => (requested.max_rows ?? Infinity) <= (maker.max_rows ?? Infinity),
    rate: (requested) => (requested.rate ?? rules.defaultRate) <= (maker.rate ?? rules.defaultRate),
    expires_at: (requested) => timeOf(requested.expires_at) <= timeOf(maker.expires_at),
  };
  const fields = keysOf(isWithin);
  const exceeded = (requested: TokenPolicy): readonly LimitedField[] =>
    fields.filter((field) => !isWithin[field](requested));

  const covers = (policy: TokenPolicy): boolean =>
    isSeen(policy) && isFixed(policy) && isOfTenant(policy) && isWithin.force_redaction(policy);
  const isMakerConfined = isConfined(maker) || tenant !== null;

  return {
    isConfined: isMakerConfined,
    exceeded,
    grant: (requested) => {
      const beyond = exceeded(requested);
      if (beyond.length > 0) throw exceededError(maker, beyond, rules);
      if (maker.endpoints === '*' || requested.endpoints === '*') return requested;
      return { ...requested, endpoints: [...new Set(requested.endpoints.map((entry) => ownEntry(entry) ?? entry))] };
    },
    covers,
    // With a tenant, no token that is confined further has a share of its own.
    share: !isMakerConfined ? null : tenant === null ? covers : isOfTenant,
  };
}

/** Finds the entry of the maker's list that gives a saved query, named by its id or its name. */
function createEntryFinder(
  { endpoints }: TokenPolicy,
  definitions: PowerRules['definitions']
): (requested: string) => string | undefined {
  const entries = new Map<string, string>();
  for (const entry of endpoints === '*' ? [] : endpoints) entries.set(normalEntry(entry), entry);
  return (requested) => {
    const own = entries.get(normalEntry(requested));
    if (own !== undefined) return own;
    const definition = definitions.find(requested);
    return definition && (entries.get(definition.name) ?? entries.get(definition.id.toLowerCase()));
  };
}

/** Ids are compared in any letter case, names exactly. */
function normalEntry(entry: string): string {
  return UUID_PATTERN.test(entry) ? entry.toLowerCase() : entry;
}

function exceededError(maker: TokenPolicy, fields: readonly LimitedField[], { defaultRate }: PowerRules): ServiceError {
  const limits = Object.fromEntries(
    fields.map((field) => [field, field === 'rate' ? (maker.rate ?? defaultRate) : maker[field]])
  );
  return new ServiceError(
    'token_exceeded',
    `The token would have more than the access token that makes it: ${fields.join(', ')}.`,
    { fields, limits, hint: 'give these fields explicitly, with at most the values in "limits"' }
  );
}

/** @returns null for a token without a valid tenant */
function tenantOrNone(policy: TokenPolicy, definitions: PowerRules['definitions']): string | null {
  try {
    return tenantOf({ policy }, definitions);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** In milliseconds since 1970. */
export function timeOf(expiresAt: string | null): number {
  return expiresAt === null ? Infinity : Date.parse(expiresAt);
}
