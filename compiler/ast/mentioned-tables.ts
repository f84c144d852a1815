/** Tables that a syntax tree names, and the WITH queries that a statement needs. */
import type { QueryExpression } from './queries';

const known = new WeakMap<object, ReadonlySet<string>>();

/**
 * Lower-case names of the tables in every FROM below a node, also those that turn out to be arrays or other queries.
 */
export function mentionedTables(node: object): ReadonlySet<string> {
  let names = known.get(node);
  if (names === undefined) {
    const found = new Set<string>();
    addMentioned(node, found);
    names = found;
    known.set(node, names);
  }
  return names;
}

export function mentions(node: object, name: string): boolean {
  return mentionedTables(node).has(name.toLowerCase());
}

/** The WITH queries of a query that bear one of the names, or that another of them mentions, in their order. */
export function neededTables(tables: QueryExpression['with'], names: ReadonlySet<string>): QueryExpression['with'] {
  const needed = new Set<QueryExpression['with'][number]>();
  const need = (wanted: ReadonlySet<string>): void => {
    for (const table of tables) {
      if (needed.has(table) || !wanted.has(table.name.name.toLowerCase())) continue;
      needed.add(table);
      need(mentionedTables(table.query));
    }
  };
  need(names);
  return tables.filter((table) => needed.has(table));
}

function addMentioned(node: unknown, found: Set<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) addMentioned(item, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (isTable(node)) found.add(node.path.map(({ name }) => name.toLowerCase()).join('.'));
  for (const value of Object.values(node)) addMentioned(value, found);
}

function isTable(
  node: object
): node is { readonly kind: 'table'; readonly path: readonly { readonly name: string }[] } {
  return 'kind' in node && node.kind === 'table' && 'path' in node;
}
