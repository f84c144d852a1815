/** WITH RECURSIVE as written: the order in which its queries can be resolved, and the two terms of a recursive one. */
import type { CommonTable, QueryBody, SetOperation } from '../../../ast';
import { mentions } from '../../../ast/mentioned-tables';
import { failure } from '../../failure';
import { itemAt, type NonEmpty } from '../../../items';

export interface RecursiveTerms {
  readonly operator: 'UNION ALL' | 'UNION DISTINCT';
  /** Rows of the start, without the table itself. */
  readonly base: QueryBody;
  /** Rows that follow from those of the step before. */
  readonly step: QueryBody;
}

/** Each query after those that it reads. @throws bad_recursion for a cycle of several queries */
export function byDependency(tables: readonly CommonTable[]): readonly CommonTable[] {
  const ordered: CommonTable[] = [];
  const visiting = new Set<CommonTable>();
  const visit = (table: CommonTable): void => {
    if (ordered.includes(table)) return;
    if (visiting.has(table)) {
      throw failure(
        'bad_recursion',
        `"${table.name.name}" reads itself through other WITH queries`,
        table.name.position,
        {
          name: table.name.name,
          hint: 'only a query that reads itself can be recursive',
        }
      );
    }
    visiting.add(table);
    for (const other of tables) if (other !== table && mentions(table.query, other.name.name)) visit(other);
    ordered.push(table);
  };
  tables.forEach(visit);
  return ordered;
}

/** The terms of a query that reads itself; null for other queries. @throws bad_recursion */
export function recursiveTerms({ name, query }: CommonTable): RecursiveTerms | null {
  if (!mentions(query, name.name)) return null;
  let body: QueryBody = query;
  while (body.kind === 'query' && body.with.length === 0 && body.orderBy.length === 0 && body.limit === null) {
    body = body.body;
  }
  if (body.kind !== 'set-operation' || !isUnion(body.operator)) {
    throw failure('bad_recursion', `the recursive query "${name.name}" must be a UNION of two queries`, name.position, {
      name: name.name,
      hint: 'write (first rows) UNION ALL (SELECT ... FROM the query itself), without ORDER BY and LIMIT',
    });
  }
  if (body.match !== null) {
    throw failure('not_supported', 'BY NAME in a recursive query is not supported', body.position, {
      name: 'BY NAME',
      hint: 'select the columns in the same order in all branches',
    });
  }
  const [first, ...others] = body.branches;
  const branches: NonEmpty<QueryBody> = [first, ...others.slice(0, -1)];
  const step = itemAt(others, others.length - 1);
  const early = branches.find((branch) => mentions(branch, name.name));
  if (early !== undefined) {
    throw failure('bad_recursion', `only the last query of the UNION can read "${name.name}"`, early.position, {
      name: name.name,
    });
  }
  const base: QueryBody = branches.length === 1 ? first : { ...body, branches };
  return { operator: body.operator, base, step };
}

function isUnion(operator: SetOperation['operator']): operator is RecursiveTerms['operator'] {
  return operator === 'UNION ALL' || operator === 'UNION DISTINCT';
}
