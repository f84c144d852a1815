/** What a start that fails prints: what is wrong and what to do, with a stack only for unexpected failures. */
import { ServiceError } from '#contract/errors';
import { ConfigError } from '../../config';
import { CatalogError } from '../../catalog/database/catalog-error';
import { formatCatalogError } from '../../catalog/database/format-error';
import { DefinitionsError } from '../../catalog/definitions/definition-problem';
import { ServerKeyError } from '../../catalog/tokens/secrets/server-key';
import { errorCode, failedPath, toError } from '../../common/caught-error';
import { sourceStack } from '../../common/source-stack';
import { ListenError } from '../../ingest/syslog/receiver';

/** A start failure that is printed as its message, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError) return `The settings cannot be used:\n${bullets(error.problems)}`;
  if (error instanceof DefinitionsError) return `The definitions cannot be served:\n${error.message}`;
  if (error instanceof StartError || error instanceof ListenError || error instanceof ServerKeyError)
    return error.message;
  if (error instanceof CatalogError) return `The catalog (LQE_CATALOG_URL) cannot be used: ${error.message}`;
  if (error instanceof ServiceError) return `The store cannot be used: ${formatCatalogError(error)}`;
  const { message, stack } = toError(error);
  if (errorCode(error) !== undefined && failedPath(error) !== undefined)
    return `The data folder (LQE_DATA_DIR) cannot be used: ${message}. The user of the server must be able to read and write it.`;
  return sourceStack(stack ?? message);
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
