/** Changes of tokens as the caller, within its power, which is read again under the lock of the tokens. */
import { ServiceError } from '#contract/errors';
import type { StoredToken, TokenPolicy } from '#contract/tokens/token';
import type { AppContext } from '../../../app/context';
import { CatalogError, catalogUnavailable } from '../../../catalog/database/catalog-error';
import { LockTimeoutError } from '../../../catalog/tokens/file/file-lock';
import { ensureNoScopeConflict, ensureScope } from '../../../catalog/tokens/principal';
import { type PowerRules, powerOf, type TokenPower } from '../../../catalog/tokens/power/token-power';
import { tenantOf } from '../../../catalog/tokens/tenant-of';
import type { EditedTokens } from '../../../catalog/tokens/token-edits';
import { TokenFileError } from '../../../catalog/tokens/file/token-file';
import { tokensLost } from '../../../catalog/tokens/token-store';
import { presentedKey } from '../../request/token/presented-key';
import { requestFacts } from '../../request/request-facts';
import type { KeyedCall } from '../../router';
import { changeFacts, inTurn } from '../change';
import { diskFailed } from '../disk-failed';
import { failedCall } from '../../../common/caught-error';

/** The state in which a change is made. */
export interface TokenTurn {
  readonly tokens: readonly StoredToken[];
  readonly now: Date;
  /** Id of the caller's token. */
  readonly makerId: string;
  readonly power: TokenPower;
  readonly rules: PowerRules;
}

/**
 * Runs the edit when its turn has come, with the rights that the caller has then: they may have been taken away while
 * the request waited.
 * @throws ServiceError `token_invalid`, `scope_missing`, `rate_limited`, `overloaded`, `catalog_unavailable`,
 * `backend_unavailable`, and those of the edit
 */
export async function changeTokens<T>(
  call: KeyedCall,
  message: string | undefined,
  edit: (turn: TokenTurn) => EditedTokens<T>
): Promise<T> {
  const { ctx, req } = call;
  const facts = changeFacts(call, message);
  const text = presentedKey(req) ?? '';
  const rules = powerRules(ctx);
  return inTurn(call, () =>
    withTokenErrors(
      call,
      () =>
        ctx.tokenRegister.change({ ...facts, now: ctx.clock.now() }, (tokens) => {
          const maker = ctx.tokens.authenticateAmong(tokens, text);
          if (maker === null) throw new ServiceError('token_invalid', 'The access token is not valid.');
          ensureScope(maker, 'tokens:admin');
          const power = powerOf(maker.policy, rules);
          return edit({ tokens, now: ctx.clock.now(), makerId: maker.tokenId, power, rules });
        }),
      NOT_STORED
    )
  );
}

export function powerRules({ definitions, config }: AppContext): PowerRules {
  return { definitions, defaultRate: config.rates.maxRequestsPerMinute };
}

/**
 * The token, which must be within the confinement of the caller.
 * @throws ServiceError `token_not_found`, identical for unknown tokens and those that the caller may not know
 */
export function visibleToken(tokens: Iterable<StoredToken>, power: TokenPower, id: string): StoredToken {
  for (const token of tokens) if (token.id === id && power.covers(token)) return token;
  throw new ServiceError('token_not_found', 'There is no access token with this id.');
}

/** @throws ServiceError `token_not_found` */
export function activeToken(tokens: Iterable<StoredToken>, power: TokenPower, id: string): StoredToken {
  const token = visibleToken(tokens, power, id);
  if (token.revoked_at === null) return token;
  throw new ServiceError('token_not_found', 'This access token is revoked. Create another.', { reason: 'revoked' });
}

/**
 * Checks a new policy by itself and against the power of its maker.
 * @throws ServiceError `scope_conflict`, `token_exceeded`
 */
export function grantedPolicy(policy: TokenPolicy, { power, rules }: TokenTurn): TokenPolicy {
  ensureNoScopeConflict(policy);
  ensureOneTenant(policy, rules);
  return power.grant(policy);
}

function ensureOneTenant(policy: TokenPolicy, { definitions }: PowerRules): void {
  try {
    tenantOf({ policy }, definitions);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(
      'scope_conflict',
      'The token would name two tenants, or one that cannot be: by its tenant and by a fixed parameter.',
      { reason: error.details.reason ?? 'tenant_conflict', hint: 'leave out one of them' }
    );
  }
}

const NOT_STORED = 'The change could not be stored. Read the access tokens before you retry.';

/**
 * Failures of the place where tokens are stored, for the caller; their causes are logged.
 * @param ofTheDisk message for a failure of the disk. @default that of tokens that cannot be read
 */
export async function withTokenErrors<T>(
  { ctx, req }: KeyedCall,
  work: () => Promise<T>,
  ofTheDisk?: string
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const shown = shownError(error, ofTheDisk);
    if (shown === null) throw error;
    ctx.logger.error({ err: error, request_id: requestFacts(req).id }, 'The tokens cannot be read or changed.');
    throw shown;
  }
}

function shownError(error: unknown, ofTheDisk: string | undefined): ServiceError | null {
  if (error instanceof LockTimeoutError)
    return new ServiceError('catalog_unavailable', 'Another program is changing the access tokens. Retry later.', {
      reason: 'tokens_locked',
    });
  if (error instanceof CatalogError) return catalogUnavailable(error);
  if (error instanceof TokenFileError) return tokensLost();
  if (ofTheDisk !== undefined) return diskFailed(error, ofTheDisk);
  return failedCall(error) === undefined ? null : tokensLost();
}
