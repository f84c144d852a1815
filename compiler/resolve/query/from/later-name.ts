/** Hint for a name that FROM gives further right than it is read. */
import { ServiceError } from '#contract/errors';
import type { FromItem } from '../../../ast';
import { sameName } from '../../names/scope';

/** The error of FROM, with a hint if the unknown column is the name of one of its items. */
export function explainedInFrom(error: unknown, item: FromItem): unknown {
  if (!(error instanceof ServiceError) || error.details.reason !== 'unknown_column') return error;
  const { name } = error.details;
  if (typeof name !== 'string' || !givesName(item, name)) return error;
  const hint = `FROM is read from left to right, and "${name}" stands further right`;
  // The list of columns would hide it.
  const { columns: _columns, ...details } = error.details;
  return new ServiceError(error.code, error.message.replace(/ — did you mean .*$/, ''), { ...details, hint });
}

function givesName(item: FromItem, name: string): boolean {
  switch (item.kind) {
    case 'join':
      return givesName(item.left, name) || givesName(item.right, name);
    case 'parenthesized':
      return givesName(item.item, name);
    default:
      return 'alias' in item && item.alias !== null && sameName(item.alias.name, name);
  }
}
