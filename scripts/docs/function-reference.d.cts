import type { FunctionFamily } from '#compiler/functions/catalog';

/** The reference of functions in docs/sql.md, as Markdown: an index of names, then a table for each family. */
export function functionReference(families: readonly FunctionFamily[]): string;
