/**
 * Adds, changes and revokes tokens in a data folder without its lock: for a test that is the only writer at that time.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StoredToken, tokenFileSchema, type TokenPolicy, UNLIMITED_POLICY } from '#contract/tokens/token';
import { chooseToken } from '#server/catalog/tokens/choose-token';
import { DEFAULT_SCOPES } from '#server/catalog/tokens/token-fields';
import { loadServerKey } from '#server/catalog/tokens/secrets/server-key';
import { creation, policyChange, revocation, type TokenEdit } from '#server/catalog/tokens/token-edits';
import { formatTokenFile, TOKEN_FILE } from '#server/catalog/tokens/file/token-file';

/** As `lqe token create` makes one where no flag says otherwise. */
export type WrittenPolicy = Partial<TokenPolicy> & Pick<TokenPolicy, 'name'>;

const DEFAULTS: Omit<TokenPolicy, 'name'> = { ...UNLIMITED_POLICY, scopes: [...DEFAULT_SCOPES] };

/**
 * A running server may not find the token at once.
 *
 * @returns the text of the token
 */
export function writeToken(dataDir: string, policy: WrittenPolicy, now = new Date()): string {
  return edit(dataDir, creation({ ...DEFAULTS, ...policy }, { key: loadServerKey(dataDir), request: null }, now)).text;
}

export function writeRevocation(dataDir: string, idOrName: string, now = new Date()): void {
  edit(dataDir, (tokens) => revocation(chooseToken(tokens, idOrName), now)(tokens));
}

export function writePolicy(dataDir: string, idOrName: string, changes: Partial<TokenPolicy>): void {
  edit(dataDir, (tokens) => {
    const token = chooseToken(tokens, idOrName);
    return policyChange(token, { ...token, ...changes })(tokens);
  });
}

export function storedTokens(dataDir: string): readonly StoredToken[] {
  const file = join(dataDir, TOKEN_FILE);
  return existsSync(file) ? tokenFileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).tokens : [];
}

function edit<T>(dataDir: string, change: TokenEdit<T>): T {
  const { tokens, outcome } = change(storedTokens(dataDir));
  writeFileSync(join(dataDir, TOKEN_FILE), formatTokenFile(tokens));
  return outcome;
}
