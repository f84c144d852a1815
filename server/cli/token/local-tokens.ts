/** Tokens of the data folder, or of the database that servers share. */
import type { Author } from '#contract/changes/change';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { DescribedIssue, StoredToken, TokenPolicy } from '#contract/tokens/token';
import { AuditFiles } from '../../catalog/audit/audit-files';
import { commandLineAuthor } from '../../catalog/audit/audit-log';
import { CatalogError } from '../../catalog/database/catalog-error';
import { openCatalog } from '../../catalog/database/open-catalog';
import { readRevisions, readStoredSet } from '../../catalog/database/stored-definitions';
import { QUERY_TABLE } from '../../catalog/database/stored-queries';
import { StoredRevisions } from '../../catalog/database/stored-revisions';
import {
  changeStoredTokens,
  readDatabaseUser,
  readStoredTokens,
  readStoredUsage,
} from '../../catalog/database/stored-tokens';
import { DefinitionsError } from '../../catalog/definitions/definition-problem';
import { type DefinitionText, parseDefinitions, readDefinitionTexts } from '../../catalog/definitions/load-definitions';
import { SAVED_QUERY } from '../../catalog/revisions/kind';
import type { RevisionRepository } from '../../catalog/revisions/repository';
import { RevisionFolder } from '../../catalog/revisions/revision-folder';
import { readSavedQueries } from '../../catalog/saved-queries/read-saved-queries';
import { chooseToken } from '../../catalog/tokens/choose-token';
import { describeToken } from '../../catalog/tokens/describe-token';
import type { SecretSource } from '../../catalog/tokens/secrets/issue-secret';
import { ensureNoScopeConflict } from '../../catalog/tokens/principal';
import { existingServerKey, loadServerKey } from '../../catalog/tokens/secrets/server-key';
import { tenantOf } from '../../catalog/tokens/tenant-of';
import {
  creation,
  type IssuedToken,
  policyChange,
  revocation,
  rotation,
  type TokenEdit,
} from '../../catalog/tokens/token-edits';
import { TokenFile } from '../../catalog/tokens/file/token-file';
import type { TokenRegister } from '../../catalog/tokens/token-register';
import { readTokenUsage } from '../../catalog/tokens/file/token-usage';
import { errorCode } from '../../common/caught-error';
import { makePrivateFolder } from '../../common/files/private-folder';
import type { Env } from '../../config';
import { policyOf } from '../../catalog/tokens/token-fields';
import type { TokenBackend } from './token-backend';

interface LocalRegister extends TokenRegister {
  author(): Promise<Author>;
  /** The saved queries of the servers; empty when the command line cannot read them. */
  savedQueries(): Promise<readonly SavedQuery[]>;
  lastUses(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** @throws CatalogError */
export async function openLocalTokens(env: Env, dataDir: string): Promise<TokenBackend> {
  const register = await openRegister(env, dataDir);
  const change = async <T>(message: string | null, now: Date, edit: TokenEdit<T>): Promise<T> =>
    register.change({ by: await register.author(), message, requestId: null, now }, edit);
  const source = (): SecretSource => ({ key: loadServerKey(dataDir, env.LQE_SERVER_KEY), request: null });
  const checkedTenant = async (policy: TokenPolicy): Promise<string | null> => {
    ensureNoScopeConflict(policy);
    return tenantOf({ policy }, { all: await register.savedQueries() });
  };

  return {
    create: async (policy, message) => {
      const now = new Date();
      const tenant = await checkedTenant(policy);
      return { issue: describeIssue(await change(message, now, creation(policy, source(), now)), now), tenant };
    },
    list: async () => {
      const [tokens, lastUses] = [await register.read(), await register.lastUses()];
      const now = new Date();
      return tokens.map((token) => describeToken(token, lastUses[token.id], now));
    },
    change: async (idOrName, patch, message) => {
      const now = new Date();
      const { id, ...old } = chooseToken(await register.read(), idOrName);
      await checkedTenant({ ...policyOf(old), ...patch });
      const changed = await change(message, now, (tokens) => {
        const token = chooseToken(tokens, id);
        const policy = { ...policyOf(token), ...patch };
        ensureNoScopeConflict(policy);
        return policyChange(token, policy)(tokens);
      });
      return describeToken(changed, undefined, now);
    },
    rotate: async (idOrName, graceSeconds, message) => {
      const now = new Date();
      const edit: TokenEdit<IssuedToken> = (tokens) =>
        rotation(chooseToken(tokens, idOrName), graceSeconds, source(), now)(tokens);
      return describeIssue(await change(message, now, edit), now);
    },
    revoke: async (idOrName, message) => {
      const now = new Date();
      const edit: TokenEdit<StoredToken> = (tokens) => revocation(chooseToken(tokens, idOrName), now)(tokens);
      return describeToken(await change(message, now, edit), undefined, now);
    },
    close: () => register.close(),
  };
}

function describeIssue({ text, token }: IssuedToken, now: Date): DescribedIssue {
  return { token: text, ...describeToken(token, undefined, now) };
}

async function openRegister(env: Env, dataDir: string): Promise<LocalRegister> {
  if (env.LQE_CATALOG_URL === null) {
    const file = new TokenFile(dataDir);
    return {
      author: async () => commandLineAuthor(),
      change: (facts, edit) => {
        makePrivateFolder(dataDir);
        return file.change(facts, edit);
      },
      read: async () => (await file.read()) ?? [],
      savedQueries: () =>
        servedQueries(new RevisionFolder(dataDir, new AuditFiles(dataDir), SAVED_QUERY), async () =>
          readDefinitionTexts(env.LQE_ENDPOINTS_DIR, [env.LQE_SOURCES_FILE])
        ),
      lastUses: async () => readTokenUsage(dataDir),
      close: async () => undefined,
    };
  }
  const database = await openCatalog(env.LQE_CATALOG_URL, existingServerKey(dataDir, env.LQE_SERVER_KEY));
  return {
    author: () => readDatabaseUser(database),
    change: (facts, edit) => changeStoredTokens(database, facts, edit),
    read: async () => (await readStoredTokens(database)).tokens,
    savedQueries: () =>
      servedQueries(
        new StoredRevisions(database, QUERY_TABLE),
        async () => (await readStoredSet(database, (await readRevisions(database)).definitions)).queries
      ),
    lastUses: () => readStoredUsage(database),
    close: () => database.close(),
  };
}

/** Those of the API, and those of `read`. */
async function servedQueries(
  repository: RevisionRepository,
  read: () => Promise<readonly DefinitionText[]>
): Promise<readonly SavedQuery[]> {
  try {
    const { definitions: stored } = await readSavedQueries(repository);
    return [...parseDefinitions(await read(), stored), ...stored].map(({ definition }) => definition);
  } catch (error) {
    if (error instanceof DefinitionsError || error instanceof CatalogError || errorCode(error) === 'EACCES') return [];
    throw error;
  }
}
