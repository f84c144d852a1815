/** What the log says of a failure in a store. The caller gets no details of it. */
import { isNativeError } from 'node:util/types';

const MOST_CHARACTERS = 500;

/** Texts in quotes, which may be values of a statement. */
const QUOTED = /'[^']*'?|"[^"]*"?|`[^`]*`?/g;

/**
 * @param cause error of DuckDB or of ClickHouse's client
 * @returns name and number of ClickHouse's error, whose text quotes the statement; the first line of DuckDB's text,
 * without what it quotes unless it is about files
 */
export function describeStoreFailure(cause: unknown): string {
  if (!isNativeError(cause)) return 'no cause is known';
  const { code, type } = cause as { readonly code?: unknown; readonly type?: unknown };
  if (typeof code === 'string' && typeof type === 'string') return `${type} (${code})`;
  const line = (cause.message.split('\n', 1)[0] ?? '').slice(0, MOST_CHARACTERS);
  return line.startsWith('IO Error') ? line : line.replace(QUOTED, '…');
}
