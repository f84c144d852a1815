/** Creates, rotates and revokes tokens of a data folder, for programs on the machine of the server. */
import type { StoredToken, TokenPolicy } from '#contract/tokens/token';
import { makePrivateFolder } from '../../../common/files/private-folder';
import { commandLineAuthor } from '../../audit/audit-log';
import { chooseToken } from '../choose-token';
import { loadServerKey } from '../secrets/server-key';
import { creation, type IssuedToken, revocation, rotation, type TokenEdit } from '../token-edits';
import { TokenFile } from './token-file';

export { TokenChoiceError } from '../choose-token';

export function createToken(
  dataDir: string,
  policy: TokenPolicy,
  now: Date,
  key = loadServerKey(dataDir)
): Promise<IssuedToken> {
  return change(dataDir, now, creation(policy, { key, request: null }, now));
}

/** @throws TokenChoiceError */
export function rotateToken(
  dataDir: string,
  idOrName: string,
  graceSeconds: number,
  now: Date,
  key = loadServerKey(dataDir)
): Promise<IssuedToken> {
  return change(dataDir, now, (tokens) =>
    rotation(chooseToken(tokens, idOrName), graceSeconds, { key, request: null }, now)(tokens)
  );
}

/** @throws TokenChoiceError */
export function revokeToken(dataDir: string, idOrName: string, now: Date): Promise<StoredToken> {
  return change(dataDir, now, (tokens) => revocation(chooseToken(tokens, idOrName), now)(tokens));
}

async function change<T>(dataDir: string, now: Date, edit: TokenEdit<T>): Promise<T> {
  makePrivateFolder(dataDir);
  return new TokenFile(dataDir).change({ by: commandLineAuthor(), message: null, requestId: null, now }, edit);
}
