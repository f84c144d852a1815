/**
 * The token that the quickstart prints. Tokens are hashed at rest, so a copy that only its owner may read is kept
 * beside them; a token that is missing, revoked or expired, or that lacks a scope, is replaced, before the server
 * starts and reads them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES, UNLIMITED_POLICY } from '../../build/contract/tokens/token.js';
import { replacePrivateFile } from '../../build/server/common/files/private-file.js';
import { createToken, revokeToken, TokenChoiceError } from '../../build/server/catalog/tokens/file/manage-tokens.js';
import { loadServerKey } from '../../build/server/catalog/tokens/secrets/server-key.js';
import { TokenFileRepository } from '../../build/server/catalog/tokens/file/token-file-repository.js';
import { TokenStore } from '../../build/server/catalog/tokens/token-store.js';

const NAME = 'quickstart';

/**
 * @param {string} dataDir
 * @param {readonly import('../../build/contract/tokens/token.js').Scope[]} [scopes] all by default: the owner of the
 *   data folder may do everything
 */
export async function quickstartToken(dataDir, scopes = SCOPES) {
  const path = join(dataDir, 'quickstart-token');
  const kept = readKept(path);
  if (kept !== undefined && (await isAccepted(dataDir, kept, scopes))) return kept;
  await revokeLost(dataDir);
  const policy = { ...UNLIMITED_POLICY, name: NAME, scopes: [...scopes] };
  const { text } = await createToken(dataDir, policy, new Date());
  await replacePrivateFile(path, `${text}\n`);
  return text;
}

/** @param {string} path */
function readKept(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * @param {string} dataDir
 * @param {string} token
 * @param {readonly import('../../build/contract/tokens/token.js').Scope[]} scopes
 */
async function isAccepted(dataDir, token, scopes) {
  /** @param {unknown} error */
  const fail = (error) => {
    throw error;
  };
  const repository = new TokenFileRepository({ dataDir, onUnreadable: fail });
  const tokens = new TokenStore({
    repository,
    key: loadServerKey(dataDir),
    bootstrapToken: null,
    now: () => new Date(),
  });
  return tokens.authenticate(token).then(
    ({ policy }) => scopes.every((scope) => policy.scopes.includes(scope)),
    (error) => {
      if (error.code === 'token_invalid') return false;
      throw error;
    }
  );
}

/**
 * A token whose copy was lost is of no use to anybody.
 *
 * @param {string} dataDir
 */
async function revokeLost(dataDir) {
  try {
    await revokeToken(dataDir, NAME, new Date());
  } catch (error) {
    if (!(error instanceof TokenChoiceError)) throw error;
  }
}
