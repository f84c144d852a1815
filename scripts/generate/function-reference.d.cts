import type { FunctionFamily } from '#compiler/functions/catalog';

/**
 * docs/sql-functions.yaml: by the first name of a function its types, the text of a SELECT without `SELECT`, and the JSON
 * of its values, row by row.
 */
export type Documented = Readonly<
  Record<string, { readonly types: string; readonly example: string; readonly gives: string } | undefined>
>;

/** The reference of functions in docs/sql.md, as Markdown: an index of names, then a table for each family. */
export function functionReference(families: readonly FunctionFamily[], documented: Documented): string;
