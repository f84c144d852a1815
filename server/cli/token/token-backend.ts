/** Where `lqe token` manages tokens: in the data folder or the database of the servers, or over HTTP. */
import type { DescribedIssue, DescribedToken, TokenPolicy } from '#contract/tokens/token';

export interface TokenBackend {
  create(policy: TokenPolicy, message: string | null): Promise<CreatedToken>;
  list(): Promise<readonly DescribedToken[]>;
  change(idOrName: string, patch: TokenPatch, message: string | null): Promise<DescribedToken>;
  rotate(idOrName: string, graceSeconds: number, message: string | null): Promise<DescribedIssue>;
  revoke(idOrName: string, message: string | null): Promise<DescribedToken>;
  close(): Promise<void>;
}

export interface CreatedToken {
  readonly issue: DescribedIssue;
  /** The tenant to which the token is confined; null: none. */
  readonly tenant: string | null;
}

/** Fields that change; `fixed_parameters` replaces them all. */
export type TokenPatch = Partial<TokenPolicy>;
