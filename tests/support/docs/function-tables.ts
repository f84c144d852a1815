/** The function tables of docs/sql.md, made from the function registry. */
import { FUNCTION_FAMILIES } from '#compiler/functions/catalog';
import type { FunctionSpec } from '#compiler/functions/function';

export function functionTables(): string {
  return FUNCTION_FAMILIES.map(({ title, functions }) =>
    [`### ${title}`, '', '| Function | Gives |', '| --- | --- |', ...functions.map(row)].join('\n')
  ).join('\n\n');
}

function row({ names, usage, summary, safe }: FunctionSpec): string {
  const [, ...others] = names;
  const also = others.length === 0 ? '' : ` Also \`${others.join('`, `')}\`.`;
  const safely = safe === true ? ' `SAFE.` may stand before it.' : '';
  return `| \`${usage.replaceAll('|', '\\|')}\` | ${`${summary}${also}${safely}`.replaceAll('|', '\\|')} |`;
}
